// The tools of the applications: all of them by resource, or those that match a search, ranked by the daemon.
import { useEffect, useState } from "preact/hooks";
import { UNNAMED } from "../../src/domain/application-name.js";
import type { Tool } from "../../src/domain/tool.js";
import { isObject, type JsonObject } from "../../src/lib/json.js";
import { ApplicationFilter, BrokenApplications } from "../parts/applications.js";
import { counted } from "../parts/format.js";
import { Icon } from "../parts/icons.js";
import { Json } from "../parts/json.js";
import { Markdown } from "../parts/markdown.js";
import { PageHead } from "../parts/page-head.js";
import { PermissionTag, SafetyTag } from "../parts/tags.js";
import { ViewLink } from "../parts/view-link.js";
import { errorText, requestList } from "../state/api.js";
import { isAmbiguous, loadTools, tools } from "../state/daemon.js";

const MAX_RESULTS = 50;
/** With more tools than this, resources are folded at first. */
const MOST_OPEN = 60;
/** A search begins after a pause of this length in the typing. */
const TYPING_PAUSE_MS = 150;

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
        <span class={open ? "disclosure disclosure-open" : "disclosure"}>
          <Icon name="chevron" />
        </span>
        <code>{tool.name}</code>
        <SafetyTag safety={tool.safety} />
        {tool.permission && <PermissionTag permission={tool.permission} />}
        <span class="tool-text">{tool.description}</span>
      </button>
      {open && (
        <div class="tool-body">
          {tool.description !== "" && <Markdown text={tool.description} />}
          <p>
            <ViewLink view={{ kind: "tool", tool: tool.name }} current={false}>
              Call it by hand
            </ViewLink>
          </p>
          <p class="request-line">{method ? `${method} ${path ?? ""}` : kind}</p>
          <Parameters schema={tool.input_schema} />
          <details>
            <summary>JSON Schema</summary>
            <Json value={tool.input_schema} label="JSON Schema" />
          </details>
          <p class="faint">
            {tool.application !== "" && isAmbiguous(tool.application) && `${tool.application} · `}
            {tool.verb} · {tool.provenance}
          </p>
        </div>
      )}
    </li>
  );
}

/** The tools that match a query, those of one application where it is chosen, the best first; undefined without a query. */
function useSearch(query: string, application: string | undefined): { found: Tool[] | undefined; error: string } {
  const [found, setFound] = useState<Tool[] | undefined>(undefined);
  const [error, setError] = useState("");
  useEffect(() => {
    const stop = new AbortController();
    const search = async () => {
      try {
        const asked = new URLSearchParams({ q: query, limit: String(MAX_RESULTS) });
        if (application !== undefined) asked.set("application", application);
        setFound(await requestList<Tool>(`/-/tools/search?${asked}`, "tools", { signal: stop.signal }));
        setError("");
      } catch (failure) {
        if (!stop.signal.aborted) setError(errorText(failure));
      }
    };
    if (query === "") setFound(undefined);
    const timer = query === "" ? undefined : setTimeout(() => void search(), TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [query, application]);
  return { found, error };
}

function groupOf({ application, resource }: Tool): string {
  const name = resource || "other";
  return application !== "" && isAmbiguous(application) ? `${application} · ${name}` : name;
}

/** The tools of a resource; those of a folded one are not drawn. */
function Group({ name, group, isFirstOpen }: { name: string; group: readonly Tool[]; isFirstOpen: boolean }) {
  const [open, setOpen] = useState(isFirstOpen);
  return (
    <section class="tool-group">
      <h2>
        <button type="button" class="tool-group-head" aria-expanded={open} onClick={() => setOpen(!open)}>
          <span class={open ? "disclosure disclosure-open" : "disclosure"}>
            <Icon name="chevron" />
          </span>
          {name} <span class="faint">{group.length}</span>
        </button>
      </h2>
      {open && (
        <ul class="tools">
          {group.map((tool) => (
            <ToolRow key={tool.name} tool={tool} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ByResource({ list }: { list: readonly Tool[] }) {
  const groups = Object.entries(Object.groupBy(list, groupOf));
  return groups.map(([name, group = []]) => (
    <Group key={name} name={name} group={group} isFirstOpen={list.length <= MOST_OPEN} />
  ));
}

/** The tools page. */
export function ToolsPage() {
  const [query, setQuery] = useState("");
  const [choice, setChoice] = useState("");
  const application = choice === "" ? undefined : choice === UNNAMED ? "" : choice;
  const { found, error } = useSearch(query.trim(), application);
  const list = (tools.value ?? []).filter((tool) => application === undefined || tool.application === application);
  useEffect(() => {
    loadTools().catch(() => {});
  }, []);
  return (
    <div class="page">
      <PageHead title="Tools">
        <span class="faint">{counted(list.length, "tool")}</span>
        <ViewLink view={{ kind: "connect" }} current={false}>
          Connect an application
        </ViewLink>
      </PageHead>
      <div class="page-body">
        <div class="column wide">
          <BrokenApplications />
          <div class="filters tool-filters">
            <ApplicationFilter value={choice} onChange={setChoice} />
          </div>
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
          <p class="error-text" role="alert">
            {error}
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
