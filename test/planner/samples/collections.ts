// An application for the planner's tests, made from its collections: the tools that read and change their records, and the answers of
// a target that keeps nothing.
import type { Tool } from "../../../src/domain/tool.js";
import type { JsonObject, JsonValue } from "../../../src/lib/json.js";
import { singularOf } from "../../../src/lib/plural.js";
import { createSession, type Turn, tool } from "../session.js";

interface Collection {
  /** The parameter of its paths, and its type where it is no text. */
  key: string;
  keyType?: JsonObject;
  rows: readonly JsonObject[];
  filters?: JsonObject;
  /** What a new record has, of which some must be there. Without any its records are only read. */
  fields?: JsonObject;
  required?: string[];
  /** The last segments of the paths that act on a record, with what they take. */
  actions?: Readonly<Record<string, JsonObject>>;
}

export interface Application {
  tools: readonly Tool[];
  reply: (called: Tool, args: JsonObject) => JsonValue;
}

function toolsOf(plural: string, { key, keyType, filters, fields, required, actions }: Collection): Tool[] {
  const one = singularOf(plural);
  const own = { [key]: keyType ?? { type: "string" } };
  const path = `/${plural}/{${key}}`;
  const changes =
    fields === undefined
      ? []
      : [
          tool(`create_${one}`, "create", `POST /${plural}`, fields, required),
          tool(`update_${one}`, "update", `PATCH ${path}`, { ...own, ...fields }, [key]),
          tool(`delete_${one}`, "delete", `DELETE ${path}`, own, [key]),
        ];
  return [
    tool(`list_${plural}`, "list", `GET /${plural}`, filters),
    tool(`get_${one}`, "get", `GET ${path}`, own, [key]),
    ...changes,
    ...Object.entries(actions ?? {}).map(([action, takes]) =>
      tool(`${action}_${one}`, "action", `POST ${path}/${action}`, { ...own, ...takes }, [key, ...Object.keys(takes)]),
    ),
  ];
}

/** An application with these collections; with a name its tools are called by that, too. */
export function createApplication(collections: Readonly<Record<string, Collection>>, name = ""): Application {
  const tools = Object.entries(collections)
    .flatMap(([plural, one]) => toolsOf(plural, one))
    .map((one) => (name === "" ? one : { ...one, application: name, name: `${name}_${one.name}` }));
  const reply = ({ transport: { path = "", method } }: Tool, args: JsonObject): JsonValue => {
    const [, plural = ""] = path.split("/");
    const { key = "", rows = [] } = collections[plural] ?? {};
    if (!path.includes("{"))
      return method === "GET"
        ? rows.filter((row) => Object.entries(args).every(([field, value]) => row[field] === value))
        : { ...args };
    const row = rows.find((one) => (one[key] ?? one["id"]) === args[key]);
    if (!row) return { error: "404 Not Found" };
    return method === "GET" ? row : { ...row, ...args };
  };
  return { tools, reply };
}

/** One daemon with several applications. */
export const joined = (...applications: readonly Application[]): Application => ({
  tools: applications.flatMap(({ tools }) => tools),
  reply: (called, args) => applications.find(({ tools }) => tools.includes(called))?.reply(called, args) ?? null,
});

/** A prompt to an application, in a session of its own. */
export const askOf = ({ tools, reply }: Application, prompt: string): Promise<Turn> =>
  createSession(tools, reply)(prompt);

/** The last call of a turn. */
export const lastCall = ({ calls }: Turn): [string, JsonObject] | undefined => calls.at(-1);
