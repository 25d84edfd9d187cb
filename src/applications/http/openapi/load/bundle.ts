// Many files become one tree: the other files hang under one extension field of the root, and every reference points there. What
// cannot be followed keeps its address and a reason.
import type { JsonObject } from "../../../../lib/json.js";
import { toPointer } from "../../../../lib/json-pointer.js";
import { FILES } from "../read.js";
import {
  type DescriptionFile,
  type FileReference,
  type Files,
  type FilesInput,
  readFiles,
  textOfReference,
} from "./files.js";
import { displayUrl } from "./load.js";
import { noteOn } from "./parse.js";

/** What bundling gives. */
export interface Bundled {
  /** The references that cannot be followed, as they stand in the tree, with the reason. */
  refused: Map<string, string>;
  /** Every reference, as it stands in the tree. */
  references: Set<string>;
  /** What a person should know of the files. */
  notes: string[];
}

/** A reference into the tree. Percent signs are escaped, because pointers in references are read as parts of addresses. */
function pointerTo({ name }: DescriptionFile, names: readonly string[]): string {
  return `#${toPointer(name === "" ? names : [FILES, name, ...names]).replaceAll("%", "%25")}`;
}

/** The address of a reference that leads nowhere, as people read it. */
function addressOf(reference: FileReference): string {
  const text = textOfReference(reference);
  if (!URL.canParse(text, reference.base)) return text;
  const url = new URL(text, reference.base);
  const isKnown =
    url.protocol === "http:" || url.protocol === "https:" || (url.protocol === "file:" && url.host === "");
  const isPointer = url.hash === "" || url.hash.startsWith("#/");
  return (isKnown ? displayUrl(url) : url.href.replace(/#.*/s, "")) + (isPointer ? "" : url.hash);
}

/** Why a `$dynamicRef` cannot be read as a reference to one place, or undefined when it can. */
function dynamicProblem(reference: FileReference, files: Files): string | undefined {
  const name = /#([^/].*)$/s.exec(textOfReference(reference))?.[1];
  const places = name === undefined ? [] : files.dynamic(name);
  if (places.length < 2) return undefined;
  return `it means another schema wherever it is used from (${places.length} have the dynamic anchor ${name}), which cannot be written out`;
}

/** Writes a `$dynamicRef` that has one meaning as a `$ref`. */
function replaceDynamic({ holder }: FileReference, ref: string): void {
  delete holder["$dynamicRef"];
  if (holder["$ref"] === undefined) holder["$ref"] = ref;
  else holder["allOf"] = [...(Array.isArray(holder["allOf"]) ? holder["allOf"] : []), { $ref: ref }];
}

/** Rewrites `root` in place so that every reference that can be followed is local. Throws StartError when the root's own bounds are passed. */
export async function bundle(input: FilesInput): Promise<Bundled> {
  const files = await readFiles(input);
  const refused = new Map<string, string>();
  const references = new Set<string>();
  const rewritten = files.references.map((reference) => {
    const place = files.resolve(reference);
    const problem = reference.key === "$dynamicRef" ? dynamicProblem(reference, files) : undefined;
    if (typeof place === "string" || problem !== undefined) {
      const address = addressOf(reference);
      refused.set(address, problem ?? String(place));
      return address;
    }
    const text = textOfReference(reference);
    // As it was written, where it is right as it is: names are told apart by their text.
    const { from, base } = reference;
    const isRight = text.startsWith("#/") && from.name === "" && base === from.base;
    return isRight ? text : pointerTo(place.file, place.names);
  });
  for (const [i, reference] of files.references.entries()) {
    const ref = rewritten[i] ?? "";
    references.add(ref);
    if (reference.key === "$dynamicRef") replaceDynamic(reference, ref);
    else reference.holder[reference.key] = ref;
  }
  const others = files.all.filter(({ name }) => name !== "");
  if (others.length > 0)
    input.root[FILES] = Object.fromEntries(others.map(({ name, tree }) => [name, tree])) as JsonObject;
  const notes = files.all.flatMap(({ tree }) => noteOn(tree) ?? []);
  return { refused, references, notes };
}
