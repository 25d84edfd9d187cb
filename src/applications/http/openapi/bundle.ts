// Many files become one tree: what a `$ref` to another file needs is hung under one extension field of the root, and the
// reference points there. What may not be read (other hosts, files outside the folder) keeps its address and a reason.
import { realpathSync } from "node:fs";
import { dirname, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf } from "../../../domain/error.js";
import { isObject, type JsonObject, type JsonValue, objectOf } from "../../../lib/json.js";
import { type Budget, displayUrl, loadText } from "./load.js";
import { parseText } from "./parse.js";
import { contentOf } from "./read.js";

/** The root's field under which the other files hang. */
const FILES = "x-agentd-files";

/** Calls `visit` on every object that holds a reference; `key` is where: "$ref", or a name in a discriminator's mapping. */
function eachRef(value: JsonValue, visit: (holder: JsonObject, key: string) => void, named = false): void {
  if (Array.isArray(value)) for (const item of value) eachRef(item, visit);
  if (!isObject(value)) return;
  if (typeof value["$ref"] === "string") visit(value, "$ref");
  const mapping = objectOf(value["discriminator"])["mapping"];
  if (isObject(mapping))
    for (const [name, target] of Object.entries(mapping))
      if (typeof target === "string" && /[#/]|\.(json|ya?ml)$/i.test(target)) visit(mapping, name);
  for (const [key, inner] of Object.entries(value))
    if (named) eachRef(inner, visit);
    else if (contentOf(key) !== "data") eachRef(inner, visit, contentOf(key) === "names");
}

function parseRef(ref: string, base: URL): { file: URL; fragment: string } | undefined {
  if (!URL.canParse(ref, base.href)) return undefined;
  const file = new URL(ref, base.href);
  const fragment = file.hash;
  file.hash = "";
  return { file, fragment };
}

/** Why a file may not be read, or undefined when it may. */
function refusal(file: URL, root: URL, allowExternal: boolean): string | undefined {
  const flag = "pass --allow-external to read it";
  if (root.protocol !== "file:") {
    if (file.protocol === "file:") return "a description from the network may not read local files";
    return allowExternal || file.origin === root.origin ? undefined : `it is on another host; ${flag}`;
  }
  if (allowExternal) return undefined;
  if (file.protocol !== "file:") return `it is on another host; ${flag}`;
  try {
    const folder = dirname(realpathSync(fileURLToPath(root)));
    return realpathSync(fileURLToPath(file)).startsWith(folder + sep) ? undefined : `it is outside ${folder}; ${flag}`;
  } catch {
    return "there is no such file";
  }
}

/** What bundling is given. */
interface BundleInput {
  root: JsonObject;
  /** The address of the root. */
  url: URL;
  /** Sent to the root's own host only. */
  headers: Record<string, string>;
  budget: Budget;
  allowExternal: boolean;
}

/**
 * Rewrites `root` in place so that every reference it can follow is local.
 * Gives the references that cannot be followed, by address, with the reason.
 */
export async function bundle({ root, url, headers, budget, allowExternal }: BundleInput): Promise<Map<string, string>> {
  const refused = new Map<string, string>();
  const prefixes = new Map<string, string>([[url.href, ""]]);
  const files: JsonObject = {};
  const queue: { tree: JsonValue; base: URL }[] = [{ tree: root, base: url }];
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { tree, base } = next;
    const found: { holder: JsonObject; key: string; file: URL; fragment: string }[] = [];
    eachRef(tree, (holder, key) => {
      const ref = String(holder[key]);
      if (ref.startsWith("#") && base === url) return;
      const parsed = parseRef(ref, base);
      if (parsed) found.push({ holder, key, ...parsed });
      else refused.set(ref, "it is not a valid address");
    });
    for (const { holder, key, file, fragment } of found) {
      if (!prefixes.has(file.href) && !refused.has(file.href)) {
        const reason = refusal(file, url, allowExternal);
        try {
          if (reason) throw new Error(reason);
          const text = await loadText(file, file.origin === url.origin ? headers : {}, budget);
          const parsed = await parseText(text, displayUrl(file));
          const id = `f${prefixes.size}`;
          prefixes.set(file.href, `/${FILES}/${id}`);
          files[id] = parsed;
          queue.push({ tree: parsed, base: file });
        } catch (error) {
          refused.set(file.href, messageOf(error));
        }
      }
      const prefix = prefixes.get(file.href);
      holder[key] = prefix === undefined ? file.href : `#${prefix}${fragment.replace(/^#/, "")}`;
    }
  }
  if (Object.keys(files).length > 0) root[FILES] = files;
  return refused;
}
