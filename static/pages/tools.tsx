// The tools of the target application: all of them by resource, or the ones that fit a search, ranked by the daemon.
import { useEffect, useState } from "preact/hooks";
import type { Tool } from "../../src/domain/tool.js";
import { isObject, type JsonObject } from "../../src/lib/json.js";
import { counted } from "../parts/format.js";
import { Icon } from "../parts/icons.js";
import { Markdown } from "../parts/markdown.js";
import { PageHead } from "../parts/sidebar.js";
import { SafetyTag } from "../parts/tags.js";
import { Json } from "../parts/value.js";
import { ask, sayError } from "../state/api.js";
import { listIn, loadTools, tools } from "../state/daemon.js";

const FOUND_AT_MOST = 50;
const SHOWN_FIRST = 150;
const TYPING_MS = 150;

function typeOf(schema: JsonObject): string {
  if (Array.isArray(schema["enum"])) return schema["enum"].map(String).join(" | ");
  const type = schema["type"];
  if (Array.isArray(type)) return type.map(String).join(" | ");
  const items = schema["items"];
  if (type === "array" && isObject(items)) return `${typeOf(items)}[]`;
  return typeof type === "string" ? type : "any";
}

function Parameters({ schema }: { schema: JsonObject }) {
  const properties = isObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  if (properties.length === 0) return <p class="faint">Takes no parameters.</p>;
  return (
    <dl class="parameters">
      {properties.map(([name, property]) => (
        <div key={name}>
          <dt>
            <code>{name}</code> <span class="faint">{isObject(property) ? typeOf(property) : "any"}</span>
            {required.includes(name) && <span class="required"> required</span>}
          </dt>
          {isObject(property) && typeof property["description"] === "string" && (
            <dd>
              <Markdown text={property["description"]} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

function ToolRow({ tool }: { tool: Tool }) {
  const [open, setOpen] = useState(false);
  const { method, path, kind } = tool.transport;
  return (
    <li class="tool">
      <button type="button" class="tool-head" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class={open ? "twist twisted" : "twist"}>
          <Icon name="chevron" />
        </span>
        <code>{tool.name}</code>
        <SafetyTag safety={tool.safety} />
        <span class="tool-text">{tool.description}</span>
      </button>
      {open && (
        <div class="tool-body">
          {tool.description !== "" && <Markdown text={tool.description} />}
          <p class="request-line">{method ? `${method} ${path ?? ""}` : kind}</p>
          <Parameters schema={tool.input_schema} />
          <details>
            <summary>JSON Schema</summary>
            <Json value={tool.input_schema} label="JSON Schema" />
          </details>
          <p class="faint">
            {tool.verb} · {tool.provenance}
          </p>
        </div>
      )}
    </li>
  );
}

/** The tools that fit a query, undefined while there is none. */
function useFound(query: string): { found: Tool[] | undefined; trouble: string } {
  const [found, setFound] = useState<Tool[] | undefined>(undefined);
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    const stop = new AbortController();
    const search = async () => {
      try {
        const path = `/-/tools/search?q=${encodeURIComponent(query)}&limit=${FOUND_AT_MOST}`;
        setFound(listIn<Tool>(await ask(path, { signal: stop.signal }), "tools"));
        setTrouble("");
      } catch (error) {
        if (!stop.signal.aborted) setTrouble(sayError(error));
      }
    };
    if (query === "") setFound(undefined);
    const timer = query === "" ? undefined : setTimeout(() => void search(), TYPING_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [query]);
  return { found, trouble };
}

function ByResource({ list }: { list: readonly Tool[] }) {
  const [count, setCount] = useState(SHOWN_FIRST);
  const groups = Object.entries(Object.groupBy(list.slice(0, count), (tool) => tool.resource || "other"));
  return (
    <>
      {groups.map(([resource, group]) => (
        <section key={resource}>
          <h2>{resource}</h2>
          <ul class="tools">
            {group?.map((tool) => (
              <ToolRow key={tool.name} tool={tool} />
            ))}
          </ul>
        </section>
      ))}
      {list.length > count && (
        <button type="button" class="link" onClick={() => setCount(count + SHOWN_FIRST)}>
          Show more of {counted(list.length, "tool")}
        </button>
      )}
    </>
  );
}

/** The tools page. */
export function ToolsPage() {
  const [query, setQuery] = useState("");
  const { found, trouble } = useFound(query.trim());
  const list = tools.value ?? [];
  useEffect(() => {
    loadTools().catch(() => {});
  }, []);
  return (
    <div class="page">
      <PageHead title="Tools">
        <span class="faint">{counted(list.length, "tool")}</span>
      </PageHead>
      <div class="page-body">
        <div class="column wide">
          <div class="search">
            <Icon name="search" />
            <input
              type="search"
              aria-label="Search tools"
              placeholder="Say what you want to do, or a name"
              value={query}
              onInput={(event) => setQuery(event.currentTarget.value)}
            />
          </div>
          <p class="trouble" role="alert">
            {trouble}
          </p>
          {found === undefined ? (
            <ByResource list={list} />
          ) : (
            <section aria-live="polite">
              <h2>{found.length === 0 ? "Nothing fits" : `${counted(found.length, "tool")}, the best first`}</h2>
              <ul class="tools">
                {found.map((tool) => (
                  <ToolRow key={tool.name} tool={tool} />
                ))}
              </ul>
            </section>
          )}
        </div>
      </div>
    </div>
  );
}
