// Which tools yield the records other tools need: an operation on /movies/{movie_id} needs a movie, and the operations that
// list or search movies yield one. Read from paths, or from names and required parameters where there is no path.

import { ownName, type Tool } from "../../domain/tool.js";
import { isObject, textsOf } from "../../lib/json.js";
import { stem, terms, words } from "./terms.js";

/** What a tool needs and yields, as stemmed nouns. */
export interface Flow {
  needs: string[];
  yields: string[];
  /** Whether it can be called knowing no id at all. */
  entry: boolean;
  /** Whether it finds records by their names. */
  searches: boolean;
}

const PARAM = /^(?:\{(.+?)\}|:(.+))$/;
const SEARCH = /search|query|lookup|find/i;
/** Reading yourself is how your own id is learned. */
const SELF = /(?:^|\/)(?:me|self|whoami|current[-_]?user|profile|account)$/i;
const ID = /^(?:ids?|uuid|uri|key|slug|number|code|name)$/;

function nounOf(parameter: string, owner: string | undefined): string | undefined {
  const parts = words(parameter);
  const last = parts.at(-1) ?? "";
  if (!ID.test(last)) return owner !== undefined && parts.length === 1 && last === owner ? stem(owner) : undefined;
  const named = parts.slice(0, -1).map(stem).at(-1);
  return named ?? (owner === undefined ? undefined : stem(owner));
}

function flowOfPath(path: string): Flow {
  const segments = path.split("/").filter((segment) => segment !== "");
  const needs: string[] = [];
  const yields: string[] = [];
  segments.forEach((segment, i) => {
    const parameter = PARAM.exec(segment);
    if (parameter) {
      const owner = segments[i - 1];
      const found = nounOf(
        parameter[1] ?? parameter[2] ?? "",
        owner && !PARAM.test(owner) ? words(owner).at(-1) : undefined,
      );
      if (found) needs.push(found);
    } else if (!PARAM.test(segments[i + 1] ?? "")) yields.push(...words(segment).map(stem));
  });
  return {
    needs,
    yields,
    entry: !segments.some((segment) => PARAM.test(segment)),
    searches: SEARCH.test(path),
  };
}

/** What a tool needs and yields. Only tools that read yield anything. */
export function flowOf(tool: Tool): Flow {
  const reads = tool.safety === "read_only";
  if (tool.transport.path) {
    const flow = flowOfPath(tool.transport.path);
    if (!reads) return { ...flow, yields: [] };
    if (SELF.test(tool.transport.path)) flow.yields.push("user");
    // A search for everything names what it finds in its description only.
    if (flow.searches && flow.yields.length <= 1) flow.yields.push(...terms(tool.description.slice(0, 200)));
    return flow;
  }
  const properties = tool.input_schema["properties"];
  const owner = words(tool.resource).at(-1);
  const needs = textsOf(tool.input_schema["required"]).flatMap((name) => nounOf(name, owner) ?? []);
  const yields = reads && needs.length === 0 ? [...words(ownName(tool)), ...words(tool.resource)].map(stem) : [];
  return {
    needs: isObject(properties) ? needs : [],
    yields,
    entry: needs.length === 0,
    searches: SEARCH.test(ownName(tool)),
  };
}
