// What an agent says of itself: how it is set up, which applications it has, and which tools can be called.
import type { Agent, PublicConfig } from "../domain/agent.js";
import { AppError } from "../domain/error.js";
import { FIRST_STEPS } from "../domain/first-steps.js";
import { publicAddress } from "../lib/url.js";
import type { ApplicationSet } from "../tools/applications.js";
import { UNNAMED_APPLICATION } from "../tools/search/application-mentions.js";
import type { AgentContext } from "./context.js";
import { settingsView } from "./settings-view.js";

/** The kind of an application whose document says none, or cannot be used. */
const UNKNOWN_KIND = "unknown";

/** Characters of what a description says of its application. */
const MAX_LINE = 200;

/** The first line of a text, cut where it is long. */
function firstLine(text = ""): string {
  const [line = ""] = text.trim().split("\n");
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE).toWellFormed().trimEnd()}…` : line;
}

function publicApplications(context: AgentContext): PublicConfig["applications"] {
  return context.applications.current().applications.map((application) => {
    const { name, loaded, error } = application;
    const { source: kind = UNKNOWN_KIND, title, description } = loaded?.document ?? {};
    const base_url = publicAddress(context.target(application).baseUrl);
    const about = { title: firstLine(title), description: firstLine(description) };
    const known = Object.entries({ ...about, error }).filter(([, text]) => text !== undefined && text !== "");
    return { name, kind, base_url, ...Object.fromEntries(known) };
  });
}

function applicationNames({ applications }: AgentContext): string[] {
  return applications
    .current()
    .applications.map(({ name, loaded }) => name || loaded?.document.title?.trim() || UNNAMED_APPLICATION);
}

function publicConfig(context: AgentContext): PublicConfig {
  const { policy, version, maxIterations } = context;
  const provider = context.providers.inUse;
  const applications = publicApplications(context);
  const [only] = applications;
  const isOne = applications.length === 1;
  return {
    default_provider: provider.name,
    sync_source: isOne && only ? only.kind : only ? "several" : UNKNOWN_KIND,
    base_url: isOne && only ? only.base_url : "",
    applications,
    first_steps: only ? [] : [...FIRST_STEPS],
    read_only: policy.read_only,
    dry_run: policy.dry_run,
    strict: policy.strict,
    confirm_default: policy.confirm,
    provider_confirm: provider.confirmsChanges ?? false,
    version,
    model: provider.model,
    max_iterations: maxIterations,
    history_limit: provider.historyLimit,
  };
}

/** The document of one application, or of all. Throws AppError invalid_query. */
function schemaOf(set: ApplicationSet, name: string | undefined): { bytes: Uint8Array; etag: string } {
  if (name === undefined) return set.served;
  const found = set.find(name);
  if (found?.loaded) return found.loaded;
  if (found)
    throw new AppError(
      "invalid_query",
      `The document of application ${JSON.stringify(name)} cannot be used: ${found.error}`,
    );
  const names = set.applications.map((one) => JSON.stringify(one.name)).join(", ");
  const known = names === "" ? "No application is connected." : `Known: ${names}.`;
  throw new AppError("invalid_query", `There is no application ${JSON.stringify(name)}. ${known}`);
}

/** The tools of one application, or all, serialised. */
async function toolsOf({ applications }: AgentContext, application: string | undefined): Promise<string> {
  const { catalogue } = applications.current();
  return catalogue.json(
    application === undefined ? undefined : catalogue.tools.filter((tool) => tool.application === application),
  );
}

type DescribingMethod =
  | "config"
  | "settings"
  | "applicationNames"
  | "providers"
  | "schema"
  | "tools"
  | "toolCount"
  | "tool"
  | "searchTools"
  | "searchToolsClosely";

/** What says how the agent is set up, and what it can call. */
export function describingMethods(context: AgentContext): Pick<Agent, DescribingMethod> {
  const catalogue = () => context.applications.current().catalogue;
  return {
    config: () => publicConfig(context),
    settings: () => settingsView(context),
    applicationNames: () => applicationNames(context),
    providers: () => context.providers.offers,
    schema: (application) => schemaOf(context.applications.current(), application),
    tools: (application) => toolsOf(context, application),
    toolCount: () => catalogue().actions.length,
    tool: (name) => catalogue().whole(name),
    searchTools: (query, limit) => catalogue().listed(catalogue().search(query, limit)),
    searchToolsClosely: (query, limit, application) =>
      catalogue().listed(catalogue().searchClosely(query, limit, application)),
  };
}
