// One tool: what it does and how that is known, a form to call it by hand, its answer, and its last calls.
import { useEffect, useState } from "preact/hooks";
import type { HistoryEntry } from "../../src/domain/record.js";
import { toDraft } from "../../src/domain/schema-form.js";
import type { Tool } from "../../src/domain/tool.js";
import { type JsonObject, toJson } from "../../src/lib/json.js";
import { ToolCall } from "../parts/form/tool-call.js";
import { Spinner } from "../parts/icons.js";
import { Markdown } from "../parts/markdown.js";
import { PageHead } from "../parts/page-head.js";
import { Revealed } from "../parts/reveal.js";
import { placeOfAll } from "../parts/schema/whole.js";
import { PermissionTag, SafetyTag, StatusTag } from "../parts/tags.js";
import { useHistoryVersion } from "../parts/use-call-row.js";
import { ViewLink } from "../parts/view-link.js";
import { errorText } from "../state/api.js";
import { isAmbiguous } from "../state/daemon.js";
import { lastCalls, loadTool } from "../state/direct-calls.js";
import { loadRow } from "../state/results.js";

/** Characters of the arguments of an earlier call. */
const MAX_SHOWN = 160;

const KNOWN_BY: Readonly<Record<Tool["provenance"], string>> = {
  declared: "as its application declares",
  inferred: "as far as its description tells",
  verified: "as the operator says",
};

function About({ tool }: { tool: Tool }) {
  const { method, path, kind } = tool.transport;
  return (
    <>
      <p class="tool-about">
        <SafetyTag safety={tool.safety} />
        {tool.permission && <PermissionTag permission={tool.permission} />}
        <span class="faint">
          {tool.application !== "" && isAmbiguous(tool.application) && `${tool.application} · `}
          {tool.resource !== "" && `${tool.resource} · `}
          {tool.verb}, {KNOWN_BY[tool.provenance]}
        </span>
      </p>
      <p class="request-line">
        <Revealed text={method ? `${method} ${path ?? ""}` : kind} />
      </p>
      {tool.description !== "" && <Markdown text={tool.description} />}
    </>
  );
}

function LastCalls({ calls, onUse }: { calls: readonly HistoryEntry[]; onUse: (args: JsonObject) => void }) {
  if (calls.length === 0) return null;
  return (
    <section>
      <h2>Last calls</h2>
      <ul class="last-calls">
        {calls.map((call) => (
          <li key={call.id}>
            <StatusTag status={call.status} />
            <code>
              <Revealed text={toJson(call.arguments).slice(0, MAX_SHOWN).toWellFormed()} />
            </code>
            <button type="button" class="link" onClick={() => onUse(call.arguments)}>
              Use these arguments
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The last calls of a tool, loaded again whenever the history changes, and with every call of this page. */
function useLastCalls(name: string, made: number): readonly HistoryEntry[] {
  const [calls, setCalls] = useState<readonly HistoryEntry[]>([]);
  const version = useHistoryVersion();
  useEffect(() => {
    let isGone = false;
    lastCalls(name).then(
      (found) => isGone || setCalls(found),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [name, version, made]);
  return calls;
}

/** The page of a tool. `row` is the call whose arguments the form begins with. */
export function ToolPage({ name, row }: { name: string; row?: number | undefined }) {
  const [tool, setTool] = useState<Tool | null | undefined>();
  const [made, setMade] = useState(0);
  const calls = useLastCalls(name, made);
  const [given, setGiven] = useState<{ arguments: JsonObject } | undefined>();
  const [error, setError] = useState("");
  useEffect(() => {
    const fail = (failure: unknown) => setError(errorText(failure));
    loadTool(name).then((found) => setTool(found ?? null), fail);
    if (row !== undefined) loadRow(row).then((call) => call.tool === name && setGiven(call), fail);
  }, []);
  const draft = tool && given ? toDraft(tool.input_schema, given.arguments, placeOfAll(tool.input_schema)) : undefined;
  return (
    <div class="page">
      <PageHead title={name}>
        <ViewLink view={{ kind: "tools" }} current={false}>
          All tools
        </ViewLink>
      </PageHead>
      <div class="page-body">
        <div class="column wide">
          {error !== "" && (
            <p class="failure" role="alert">
              {error}
            </p>
          )}
          {tool === undefined && error === "" && <Spinner />}
          {tool === null && <p class="failure">There is no tool of this name. A sync may have renamed it.</p>}
          {tool && (
            <>
              <About tool={tool} />
              <ToolCall
                key={JSON.stringify(given && toJson(given.arguments))}
                tool={tool}
                draft={draft}
                onDone={() => setMade((count) => count + 1)}
              />
              <LastCalls calls={calls} onUse={(args) => setGiven({ arguments: args })} />
            </>
          )}
        </div>
      </div>
    </div>
  );
}
