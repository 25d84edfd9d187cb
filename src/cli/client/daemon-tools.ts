// The tools, applications and providers that a running daemon has in force, over HTTP. They need not be those of the files: a demonstration
// serves documents of its own, and a document that cannot be used leaves the one before it in force.
import type { Settings } from "../../config/settings.js";
import type { SettingsView } from "../../domain/agent.js";
import type { OfferedProvider } from "../../domain/model-choice.js";
import type { Tool } from "../../domain/tool.js";
import { parseJson } from "../../lib/json.js";
import type { Daemon } from "./client.js";
import { ask, headersFor, refusedBy } from "./daemon-http.js";

/** The most that GET /-/tools/search answers. */
const MAX_FOUND = 1_000;

/** What a daemon says of what it has. Each call throws StartError when it is refused or not answered. */
interface DaemonTools {
  /** In the order of the documents, of all applications or of one. */
  tools(application?: string): Promise<Tool[]>;
  /** One with the whole schema of its arguments; undefined where there is none of this name. */
  whole(name: string): Promise<Tool | undefined>;
  /** Those that fit, best first. */
  search(query: string): Promise<Tool[]>;
  /** The one without a name first; "" is its name. */
  applicationNames(): Promise<string[]>;
  applications(): Promise<SettingsView["applications"]>;
  providers(): Promise<OfferedProvider[]>;
}

/** Opens the tools of a daemon; `silentMs` is how long it may take to go on with an answer. */
export function openDaemonTools(
  daemon: Daemon,
  settings: Pick<Settings, "token">,
  patience: { silentMs?: number } = {},
): DaemonTools {
  const get = async (path: string, query: Record<string, string> = {}): Promise<unknown> => {
    const search = new URLSearchParams(query);
    const asked = search.size > 0 ? `${path}?${search}` : path;
    const [status, body] = await ask(daemon, asked, { ...patience, headers: headersFor(settings) });
    if (status !== 200) throw refusedBy(daemon, status, body);
    return parseJson(body);
  };
  return {
    tools: async (application) => (await get("/tools", application === undefined ? {} : { application })) as Tool[],
    whole: async (name) => ((await get("/tools", { name })) as Tool[])[0],
    search: async (q) => (await get("/-/tools/search", { q, limit: String(MAX_FOUND) })) as Tool[],
    async applicationNames() {
      const { applications } = (await get("/config/public")) as Pick<SettingsView, "applications">;
      return applications.map(({ name }) => name);
    },
    async applications() {
      return ((await get("/-/settings")) as Pick<SettingsView, "applications">).applications;
    },
    providers: async () => (await get("/-/providers")) as OfferedProvider[],
  };
}
