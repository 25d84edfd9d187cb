// What is in force in this daemon and where it comes from: read-only wherever a file, a flag or a variable is the only place, with
// its name. What belongs to this browser alone is chosen here.
import "../style/settings.css";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { SettingsView } from "../../src/domain/agent.js";
import { AlertSwitches } from "../parts/alert-switches.js";
import { counted, fullTime, words } from "../parts/format.js";
import { Spinner } from "../parts/icons.js";
import { PageHead } from "../parts/page-head.js";
import { Revealed } from "../parts/reveal.js";
import { Scroll } from "../parts/scroll.js";
import { ApplicationState } from "../parts/settings/application.js";
import { Models } from "../parts/settings/models.js";
import { ViewLink } from "../parts/view-link.js";
import { errorText, requestJson } from "../state/api.js";
import { BASE } from "../state/base.js";
import { onChange } from "../state/changes.js";
import { letterKeys, setLetterKeys } from "../state/commands.js";
import { MODES } from "../state/modes.js";
import type { Theme } from "../state/stored-theme.js";
import { setTheme, theme } from "../state/theme.js";

function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="settings-section" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Modes({ modes }: Pick<SettingsView, "modes">) {
  return (
    <ul class="settings-list">
      {MODES.map(({ name, label, explanation }) => {
        const { on, why } = modes[name];
        return (
          <li key={name} class="settings-mode">
            <span class={on ? "tag mode-on" : "tag"}>{on ? "on" : "off"}</span>
            <div>
              <strong>{label}</strong> <span class="faint">{explanation}</span>
              <p class="faint">{why}</p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function Credentials({ credentials, file }: { credentials: SettingsView["credentials"]; file: string }) {
  if (credentials.length === 0)
    return (
      <p class="faint">
        None is configured. A credential of an application is named in {file}, and its value stays there.
      </p>
    );
  return (
    <Scroll class="settings-scroll" label="Credentials by name">
      <table class="settings-table">
        <thead>
          <tr>
            <th scope="col">Name in {file}</th>
            <th scope="col">Used by</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {credentials.map(({ name, used_by, set }) => (
            <tr key={name}>
              <td>
                <code>
                  <Revealed text={name} />
                </code>
              </td>
              <td>
                <Revealed text={used_by || "the application"} />
              </td>
              <td>{set ? "set" : <span class="settings-missing">missing</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

const THEMES: readonly (readonly [Theme, string])[] = [
  ["system", "as the system"],
  ["light", "light"],
  ["dark", "dark"],
];

function ThisBrowser() {
  return (
    <>
      <fieldset class="settings-choice">
        <legend>Colours</legend>
        {THEMES.map(([value, label]) => (
          <label key={value}>
            <input type="radio" name="theme" checked={theme.value === value} onChange={() => setTheme(value)} /> {label}
          </label>
        ))}
      </fieldset>
      <fieldset class="settings-choice">
        <legend>Keys</legend>
        <label>
          <input
            type="checkbox"
            checked={letterKeys.value}
            onChange={({ currentTarget: { checked } }) => setLetterKeys(checked)}
          />{" "}
          Keys of a single letter, such as n for a new chat; ? lists them
        </label>
      </fieldset>
      <fieldset class="settings-choice">
        <legend>When a call waits for a yes</legend>
        <AlertSwitches />
      </fieldset>
    </>
  );
}

const days = (count: number | null): string => (count === null ? "for ever" : counted(count, "day"));
const seconds = (ms: number): string => counted(Math.round(ms / 1000), "second");
const bytes = (count: number): string =>
  count < 1_000_000 ? `${Math.ceil(count / 1000)} kB` : `${(count / 1_000_000).toFixed(1)} MB`;

function Facts({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <>
          <dt key={name}>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

function limitFacts({ limits }: SettingsView): (readonly [string, string])[] {
  const perScope = (["session", "day"] as const).flatMap((scope) =>
    Object.entries(limits[scope]).map(([kind, limit]) => {
      const today = scope === "day" ? limits.today.find((one) => one.kind === kind) : undefined;
      const used = today === undefined ? "" : `, ${today.used.toLocaleString()} taken today`;
      return [`${words(kind)} a ${scope}`, `${Number(limit).toLocaleString()}${used}`] as const;
    }),
  );
  return [
    ...perScope,
    ["model calls a turn", limits.max_iterations.toLocaleString()],
    ["a turn may take", seconds(limits.turn_timeout_ms)],
    ["a held call waits", seconds(limits.confirmation_ttl_ms)],
    ["turns at once", limits.max_turns.toLocaleString()],
    ["prompts waiting in a session", limits.max_queue.toLocaleString()],
  ];
}

function Settings({ settings }: { settings: SettingsView }) {
  const { modes, applications, credentials, retention, record, version, node, data_dir, files } = settings;
  const file = "config.json";
  const paths = [
    ["Configuration", files?.config],
    ["Applications", files?.applications],
    ["Record", files?.record],
    ["Data directory", data_dir],
  ] as const;
  const known = paths.flatMap(([name, path]) =>
    path === undefined ? [] : [[name, <code key={name}>{path}</code>] as const],
  );
  return (
    <>
      <Section title="Safety modes">
        <Modes modes={modes} />
      </Section>
      <Section title="Models">
        <Models file={file} />
      </Section>
      <Section title="Applications">
        {applications.length === 0 && (
          <p class="faint">
            No application is connected yet. <code>agentd sync openapi ADDRESS</code> connects one, too.
          </p>
        )}
        {applications.map((application) => (
          <ApplicationState key={application.name} application={application} />
        ))}
        <p>
          <ViewLink view={{ kind: "connect" }} current={false}>
            Connect an application
          </ViewLink>
        </p>
      </Section>
      <Section title="Credentials">
        <Credentials credentials={credentials} file={file} />
      </Section>
      <Section title="This browser">
        <ThisBrowser />
      </Section>
      <Section title="Limits and retention">
        <Facts
          facts={[
            ...limitFacts(settings),
            ["calls are kept", days(retention.history_keep_days)],
            ["conversations are kept", days(retention.session_keep_days)],
            ["the record", `${counted(record.rows, "call")}, ${bytes(record.bytes)}`],
          ]}
        />
        <p class="faint">
          They are set in {file}, under <code>limits</code>, <code>history_keep_days</code> and{" "}
          <code>session_keep_days</code>.
        </p>
      </Section>
      <Section title="About">
        <Facts facts={[["agentd", version], ["Node", node], ["Licence", "MIT"], ...known]} />
        <p class="faint">
          <code>agentd --help</code> lists the commands; <code>agentd doctor</code> checks all of this. The
          documentation is in the folder <code>docs</code> of the package, and the{" "}
          <a href={`${BASE}/-/openapi.json`}>description of the interface</a> here. As of{" "}
          {fullTime(new Date().toISOString())}.
        </p>
      </Section>
    </>
  );
}

/** The settings page. */
export function SettingsPage() {
  const [settings, setSettings] = useState<SettingsView | undefined>();
  const [error, setError] = useState("");
  const load = () => {
    setError("");
    requestJson("/-/settings").then(
      (answer) => setSettings(answer as SettingsView),
      (failure: unknown) => setError(errorText(failure)),
    );
  };
  useEffect(() => {
    load();
    return onChange(({ kind }) => {
      if (kind === "configuration" || kind === "reconnected") load();
    });
  }, []);
  return (
    <div class="page">
      <PageHead title="Settings" />
      <div class="page-body" aria-busy={settings === undefined && error === ""}>
        <div class="column settings">
          {error !== "" && (
            <p class="failure" role="alert">
              {error}{" "}
              <button type="button" class="link" onClick={load}>
                Try again
              </button>
            </p>
          )}
          {settings === undefined && error === "" && <Spinner />}
          {settings !== undefined && <Settings settings={settings} />}
        </div>
      </div>
    </div>
  );
}
