// What connecting an application would import, and what comes after it was connected.
import { useState } from "preact/hooks";
import type { ApplicationPreview } from "../../src/domain/connector.js";
import { tools } from "../state/daemon.js";
import { connectedNow } from "../state/direct-calls.js";
import { Copy } from "./copy.js";
import { counted } from "./format.js";
import { Revealed } from "./reveal.js";
import { SafetyTag } from "./tags.js";
import { ViewLink } from "./view-link.js";

const FIRST_EXAMPLES = 8;

function Counts({ preview: { safety, tools: count } }: { preview: ApplicationPreview }) {
  return (
    <p class="tool-about">
      <strong>{counted(count, "tool")}</strong>
      <SafetyTag safety="read_only" /> {safety.read_only}
      <SafetyTag safety="mutating" /> {safety.mutating}
      <SafetyTag safety="destructive" /> {safety.destructive}
    </p>
  );
}

function Examples({ preview }: { preview: ApplicationPreview }) {
  const [all, setAll] = useState(false);
  const { examples } = preview;
  return (
    <>
      <ul class="connect-examples">
        {examples.slice(0, all ? examples.length : FIRST_EXAMPLES).map(({ tool, safety, description }) => (
          <li key={tool}>
            <code>{tool}</code> <SafetyTag safety={safety} />{" "}
            <span class="faint">
              <Revealed text={description.split("\n")[0] ?? ""} />
            </span>
          </li>
        ))}
      </ul>
      {!all && examples.length > FIRST_EXAMPLES && (
        <button type="button" class="link" onClick={() => setAll(true)}>
          {examples.length === preview.tools
            ? `Show all ${counted(preview.tools, "tool")}`
            : `Show ${examples.length} of ${counted(preview.tools, "tool")}`}
        </button>
      )}
    </>
  );
}

function Folded({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <details>
      <summary>
        {title} ({lines.length})
      </summary>
      <ul class="connect-lines">
        {lines.map((line) => (
          <li key={line}>
            <Revealed text={line} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Credentials({ preview: { credentials, config_file } }: { preview: ApplicationPreview }) {
  if (credentials.length === 0) return null;
  const text = credentials.join("\n");
  return (
    <section>
      <h3>Signing in</h3>
      <p>
        Some tools need a credential. It is not typed here: put these lines into <code>{config_file}</code>, each with
        the name of an environment variable that holds the secret. The address is the one that the secret may be sent
        to.
      </p>
      <div class="connect-config">
        <pre>{text}</pre>
        <Copy label="Copy the lines" text={() => text} />
      </div>
    </section>
  );
}

/** What would be imported. */
export function PreviewedApplication({ preview }: { preview: ApplicationPreview }) {
  return (
    <div class="connect-preview">
      <h3>
        <Revealed text={preview.title || "Without a title"} /> <span class="faint">{preview.kind}</span>
      </h3>
      <p class="faint">
        {preview.base_url === "" ? "It does not say where calls go: give the address below." : "Calls go to "}
        {preview.base_url !== "" && <Revealed text={preview.base_url} />}
      </p>
      <Counts preview={preview} />
      <Examples preview={preview} />
      <Folded title="Doubtful, counted as changes" lines={preview.doubtful.map(({ tool, why }) => `${tool}: ${why}`)} />
      <Folded title="Left out" lines={preview.skipped.map(({ operation, reason }) => `${operation}: ${reason}`)} />
      <Folded title="Notes" lines={preview.notes} />
      <Credentials preview={preview} />
    </div>
  );
}

/** A first call to try: one that only reads and needs nothing. */
function firstTool(name: string) {
  const own = (tools.value ?? []).filter((tool) => tool.application === name && tool.safety === "read_only");
  const isEasy = (required: unknown): boolean => !Array.isArray(required) || required.length === 0;
  return own.find((tool) => tool.verb === "list" && isEasy(tool.input_schema["required"])) ?? own[0];
}

/** What was connected just now, if anything was. */
export function ConnectedNote() {
  const now = connectedNow.value;
  if (now === undefined) return null;
  const { connected, preview } = now;
  const first = firstTool(connected.name);
  return (
    <div role="status" class="connect-preview">
      <h3>Connected: {counted(connected.tools, "tool")}</h3>
      <p>
        {first && (
          <>
            Try a first call, which only reads:{" "}
            <ViewLink view={{ kind: "tool", tool: first.name }} current={false}>
              {first.name}
            </ViewLink>
            .{" "}
          </>
        )}
        <ViewLink view={{ kind: "chat", session: null }} current={false}>
          Ask something
        </ViewLink>
      </p>
      <Credentials preview={preview} />
    </div>
  );
}
