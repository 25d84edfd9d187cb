// An application on the settings page: where it came from, what its last sync changed, and what is on for it alone.
import type { SettingsView } from "../../../src/domain/agent.js";
import { unreached } from "../../state/reach.js";
import { counted, fullTime, words } from "../format.js";
import { Revealed } from "../reveal.js";
import { ViewLink } from "../view-link.js";

type Application = SettingsView["applications"][number];

/** Names shown of a list; the rest is counted. */
const MAX_NAMES = 12;

function Names({ label, names }: { label: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  const shown = names.slice(0, MAX_NAMES).join(", ");
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  return (
    <li>
      {label}: <Revealed text={`${shown}${more}`} />
    </li>
  );
}

function LastSync({ application: { synced_at, last_difference } }: { application: Application }) {
  if (synced_at === undefined) return <>not known</>;
  const { added = [], removed = [], changed = [] } = last_difference ?? {};
  const isSame = added.length + removed.length + changed.length === 0;
  return (
    <>
      {fullTime(synced_at)}
      {last_difference === undefined ? ", the first one" : isSame && ", nothing changed"}
      {!isSame && (
        <ul class="settings-difference">
          <Names label="added" names={added} />
          <Names label="removed" names={removed} />
          <Names label="changed" names={changed} />
        </ul>
      )}
    </>
  );
}

/** All that is known of it. */
export function ApplicationState({ application }: { application: Application }) {
  const { name, title, kind, base_url, source, tools, safety, error, modes } = application;
  const lost = unreached.value.get(name);
  return (
    <article class="settings-application">
      <h3>
        <Revealed text={name || title || "The application"} />
      </h3>
      {error !== undefined && <p class="failure">{error}</p>}
      {error === undefined && lost !== undefined && (
        <p class="failure">
          Its last call did not reach it: <Revealed text={lost.message} />.{" "}
          <ViewLink view={{ kind: "history", row: lost.row }} current={false}>
            The call
          </ViewLink>
        </p>
      )}
      <dl class="facts">
        <dt>Address</dt>
        <dd>
          <Revealed text={base_url || "none"} /> <span class="faint">({kind})</span>
        </dd>
        {source !== undefined && (
          <>
            <dt>Described by</dt>
            <dd>
              <Revealed text={source} />
            </dd>
          </>
        )}
        <dt>Last sync</dt>
        <dd>
          <LastSync application={application} />
        </dd>
        <dt>Tools</dt>
        <dd>
          {`${counted(tools, "tool")}: ${safety.read_only} read, ${safety.mutating} change, ${safety.destructive} destroy`}
        </dd>
        {modes.length > 0 && (
          <>
            <dt>On for it alone</dt>
            <dd>{modes.map(words).join(", ")}</dd>
          </>
        )}
      </dl>
    </article>
  );
}
