// The files of one description: each read once, found by the address it has or gives itself, and looked through for what it refers
// to. Knows which files may be read; nothing of what references are for.
// Source: OpenAPI 3.2, Relative References in API Description URLs; RFC 3986, section 5.
import { realpathSync } from "node:fs";
import { dirname, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf } from "../../../../domain/error.js";
import { isObject, type JsonObject, type JsonValue } from "../../../../lib/json.js";
import { referenceNames, valueAt } from "../../../../lib/json-pointer.js";
import { hasIdentifiers, spelled } from "../read.js";
import { type Budget, displayUrl, isStandardInput, loadText } from "./load.js";
import { createLookThrough, type FoundReference, type LookThrough } from "./look-through.js";
import { parseText } from "./parse.js";

/** Files that are read side by side. */
const SIDE_BY_SIDE = 8;

/** What files are read with. */
export interface FilesInput {
  root: JsonObject;
  /** The address of the root. */
  url: URL;
  /** Sent to the root's own host only. */
  headers: Record<string, string>;
  budget: Budget;
  allowExternal: boolean;
}

/** One file. */
export interface DescriptionFile {
  tree: JsonValue;
  /** Its path from the folder of the description, else its whole address; "" for the root. */
  name: string;
  /** Where it was read from. */
  location: string;
  /** What its references are relative to: the same, or what its `$self` says. */
  base: string;
  lookThrough: LookThrough;
}

/** A place in a file: names from its top. */
interface Place {
  file: DescriptionFile;
  names: readonly string[];
  /** What references there are relative to. */
  base: string;
}

/** A reference with the file it stands in. */
export interface FileReference extends FoundReference {
  from: DescriptionFile;
}

/** The files of one description. */
export interface Files {
  /** The root first. */
  all: readonly DescriptionFile[];
  references: readonly FileReference[];
  /** Where a reference leads, whether there is anything or not; or the reason why it leads nowhere. */
  resolve(reference: FileReference): Place | string;
  /** Every place that calls itself by this name for `$dynamicRef`. */
  dynamic(name: string): readonly Place[];
}

/** Why a file that a description or a page at `root` names may not be read, or undefined when it may. */
export function refusal(file: URL, root: URL, allowExternal: boolean): string | undefined {
  const flag = "agentd sync --allow-external reads it";
  if (root.protocol !== "file:") {
    if (file.protocol === "file:") return "a description from the network may not read local files";
    return allowExternal || file.origin === root.origin ? undefined : `it is on another host; ${flag}`;
  }
  if (allowExternal) return undefined;
  if (file.protocol !== "file:") return `it is on another host; ${flag}`;
  const path = fileURLToPath(root);
  const folder = isStandardInput(root) ? realpathSync(dirname(path)) : dirname(realpathSync(path));
  const outside = `it is outside ${folder}; ${flag}`;
  try {
    return isWithin(realpathSync(fileURLToPath(file)), folder) ? undefined : outside;
  } catch {
    // Which files are there outside is not for the author of a description.
    return [folder, dirname(path)].some((one) => isWithin(fileURLToPath(file), one))
      ? "there is no such file"
      : outside;
  }
}

function isWithin(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** An address without its fragment, and the fragment. */
function split(ref: string, base: string): { address: string; fragment: string } | undefined {
  if (!URL.canParse(ref, base)) return undefined;
  const url = new URL(ref, base);
  const fragment = url.hash.slice(1);
  url.hash = "";
  return { address: url.href, fragment };
}

/** The text of a reference. */
export function textOfReference({ holder, key }: FoundReference): string {
  return spelled(holder[key]);
}

function nameOf(file: URL, root: URL): string {
  const folder = new URL(".", root).href;
  const name = file.href.startsWith(folder) ? file.href.slice(folder.length) : file.href;
  try {
    return decodeURI(name);
  } catch {
    return name;
  }
}

/** What is known by an address: files, schemas with an address of their own, and at "address#name" those with a name. */
interface Index {
  places: Map<string, Place>;
  dynamic: Map<string, Place[]>;
  references: FileReference[];
}

/** A file whose contents are entered into the index as they are found; it is not looked through yet. */
function createFile(input: Omit<DescriptionFile, "lookThrough">, isModern: boolean, index: Index): DescriptionFile {
  const enter = (address: string, place: Place): void => {
    if (!index.places.has(address)) index.places.set(address, place);
  };
  const lookThrough = createLookThrough({
    hasIdentifiers: isModern,
    reference: (found) => void index.references.push({ ...found, from: file }),
    schema: (address, path) => enter(address, { file, names: [...path], base: address }),
    anchor({ address, name, isDynamic }, path) {
      const place = { file, names: [...path], base: address };
      enter(`${address}#${name}`, place);
      if (isDynamic) index.dynamic.set(name, [...(index.dynamic.get(name) ?? []), place]);
    },
  });
  const file = { ...input, lookThrough };
  return file;
}

/** The addresses of the file that a reference may mean. A file that calls itself something else (`$self`, `$id`) is read with those beside it. */
function addressesOf(reference: FileReference): string[] {
  const ref = textOfReference(reference);
  const { base, from } = reference;
  // Nearly all references are into their own file: an address is not made anew for each.
  if (ref.startsWith("#")) return base === from.location ? [base] : [base, from.location];
  const meant = split(ref, base)?.address;
  const beside = URL.canParse(ref) ? undefined : split(ref, from.location)?.address;
  return [...new Set([meant, beside])].filter((one) => one !== undefined);
}

/** What stands behind the `#` of a reference. */
function fragmentOf(reference: FileReference): string {
  const ref = textOfReference(reference);
  return ref.startsWith("#") ? ref.slice(1) : (split(ref, reference.base)?.fragment ?? "");
}

/** Reads all files of a description, until every reference leads somewhere or cannot. */
export async function readFiles(input: FilesInput): Promise<Files> {
  const all: DescriptionFile[] = [];
  const index: Index = { places: new Map(), dynamic: new Map(), references: [] };
  const refused = new Map<string, string>();

  function add(tree: JsonValue, location: URL, name: string): void {
    const own = split("#", location.href)?.address ?? location.href;
    const self = isObject(tree) ? tree["$self"] : undefined;
    const base = typeof self === "string" ? (split(self, own)?.address ?? own) : own;
    const version = isObject(tree) && tree["openapi"] !== undefined ? tree : input.root;
    const file = createFile({ tree, name, location: own, base }, hasIdentifiers(version), index);
    all.push(file);
    for (const address of [own, base])
      if (!index.places.has(address)) index.places.set(address, { file, names: [], base });
    file.lookThrough(tree, [], base);
  }

  async function load(address: string): Promise<() => void> {
    const location = new URL(address);
    try {
      const reason = refusal(location, input.url, input.allowExternal);
      if (reason) throw new Error(reason);
      const text = await loadText(location, location.origin === input.url.origin ? input.headers : {}, input.budget);
      const tree = await parseText(text, displayUrl(location));
      return () => add(tree, location, nameOf(location, input.url));
    } catch (error) {
      return () => void refused.set(address, messageOf(error));
    }
  }

  function resolve(reference: FileReference): Place | string {
    const addresses = addressesOf(reference);
    const [first] = addresses;
    if (first === undefined) return "it is not a valid address";
    const address = addresses.find((one) => index.places.has(one));
    const place = address === undefined ? undefined : index.places.get(address);
    if (!place) return refused.get(first) ?? "it is not part of the description";
    const fragment = fragmentOf(reference);
    if (fragment === "" || fragment === "/") return place;
    if (fragment.startsWith("/")) return { ...place, names: [...place.names, ...referenceNames(`#${fragment}`)] };
    return index.places.get(`${address}#${fragment}`) ?? `no schema there has the anchor ${fragment}`;
  }

  /** The addresses to be read for references that lead nowhere yet; those that lead somewhere, or cannot, are taken off the list. */
  function wanted(open: Set<FileReference>): string[] {
    const next = new Set<string>();
    for (const reference of open) {
      const place = resolve(reference);
      if (typeof place !== "string") {
        open.delete(reference);
        // What looks like data and is referred to is none.
        place.file.lookThrough(valueAt(place.file.tree, place.names), place.names, place.base);
        continue;
      }
      const missing = addressesOf(reference).toReversed();
      const address = missing.find((one) => !refused.has(one));
      if (address === undefined || missing.some((one) => index.places.has(one))) open.delete(reference);
      else next.add(address);
    }
    return [...next];
  }

  add(input.root, input.url, "");
  const open = new Set<FileReference>();
  for (let seen = 0; seen < index.references.length || open.size > 0; ) {
    for (; seen < index.references.length; seen++) open.add(index.references[seen] as FileReference);
    const addresses = wanted(open);
    for (let i = 0; i < addresses.length; i += SIDE_BY_SIDE)
      for (const enter of await Promise.all(addresses.slice(i, i + SIDE_BY_SIDE).map(load))) enter();
  }
  return { all, references: index.references, resolve, dynamic: (name) => index.dynamic.get(name) ?? [] };
}
