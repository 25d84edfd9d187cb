// The head of a page: its title, also in the browser's tab; what its prompts go to and whether that works; and on a narrow screen the
// button that opens the drawer.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { PublicConfig } from "../../src/domain/agent.js";
import { inItsOrder } from "../../src/lib/invisible-characters.js";
import { isAnswering } from "../state/changes.js";
import { pendingConfirmations } from "../state/confirmations.js";
import { applications, config } from "../state/daemon.js";
import { MODES, startupModes } from "../state/modes.js";
import { unreached } from "../state/reach.js";
import { drawerOpen } from "../state/route.js";
import { DRAWER_IDS } from "./drawer.js";
import { Icon } from "./icons.js";
import { ViewLink } from "./view-link.js";

const MAX_TITLE_LENGTH = 60;

/** "shop cannot be used", "3 cannot be used"; undefined when all is well, as far as is known. */
function troubleIn(all: readonly PublicConfig["applications"][number][]): string | undefined {
  const broken = all.filter(({ error }) => error !== undefined);
  const lost = all.filter(({ name, error }) => error === undefined && unreached.value.has(name));
  const text = ([first, ...others]: typeof all, what: string): string | undefined =>
    first && `${others.length > 0 ? others.length + 1 : first.name || "The application"} ${what}`;
  const said = [text(broken, "cannot be used"), text(lost, lost.length > 1 ? "were not reached" : "was not reached")];
  return said.filter((one) => one !== undefined).join(", ") || undefined;
}

/** The application, and what is wrong with one. */
function Target() {
  const all = applications.value;
  const [only, ...others] = all;
  if (only === undefined) return null;
  const trouble = troubleIn(all);
  const text =
    others.length === 0
      ? only.name || inItsOrder(only.title ?? "") || only.base_url.replace(/^https?:\/\//, "")
      : `${all.length} applications`;
  const title = all.map(({ name, base_url, error }) => {
    const message = unreached.value.get(name)?.message;
    const state = error ? " (broken)" : message === undefined ? "" : ` (its last call did not reach it: ${message})`;
    return `${name ? `${name}: ` : ""}${base_url}${state}`;
  });
  return (
    <span class="head-fact head-target" title={title.join("\n")}>
      {trouble !== undefined ? (
        <span class="head-trouble">
          <Icon name="warning" />
          {trouble}
        </span>
      ) : (
        text
      )}
    </span>
  );
}

/** Whether the daemon answers: a dot, and words where it does not. */
function Health() {
  if (isAnswering.value === undefined) return null;
  const text = isAnswering.value ? "The daemon answers" : "The daemon does not answer";
  return (
    <span class={isAnswering.value ? "" : "head-trouble"} title={text}>
      <span class={`dot ${isAnswering.value ? "dot-well" : "dot-waiting"}`} />
      <span class={isAnswering.value ? "visually-hidden" : ""}>{isAnswering.value ? text : "No answer"}</span>
    </span>
  );
}

/** Whether the daemon answers, the modes that it enforces, the application, the model: a way to the settings, where each is explained. */
function InForce() {
  const modes = MODES.filter(({ name }) => startupModes.value[name]);
  const { default_provider: provider, model } = config.value ?? {};
  return (
    <span class="head-facts">
      <ViewLink view={{ kind: "settings" }} current={false} title="What is in force: settings">
        {modes.map(({ name, label }) => (
          <span key={name} class="tag head-mode">
            <Icon name="lock" />
            {label}
          </span>
        ))}
        <Health />
        <Target />
        <span class="head-fact head-model">{model || provider}</span>
      </ViewLink>
    </span>
  );
}

/** The head of a page; the children are at its end. */
export function PageHead({ title, children }: { title: string; children?: ComponentChildren }) {
  const count = pendingConfirmations.value.length;
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ""}${title.slice(0, MAX_TITLE_LENGTH)} · agentd`;
  }, [title, count]);
  return (
    <header class="head">
      <button
        type="button"
        id={DRAWER_IDS.open}
        class="icon-button only-narrow"
        aria-label="Open navigation"
        aria-controls={DRAWER_IDS.drawer}
        aria-expanded={drawerOpen.value}
        onClick={() => (drawerOpen.value = true)}
      >
        <Icon name="menu" />
        {count > 0 && <span class="dot dot-waiting" />}
      </button>
      <h1 dir="auto">{title.slice(0, MAX_TITLE_LENGTH * 4)}</h1>
      <span class="spacer" />
      <InForce />
      {children}
    </header>
  );
}
