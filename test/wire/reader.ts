// The files of one description, and what references in them lead to; nothing of the program's reading is used.
// Source: RFC 6901; OpenAPI 3.1, Reference Object.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parse } from "yaml";
import { isObject, type JsonObject, type JsonValue, objectOf } from "../../src/lib/json.js";

/** References to references. */
const MAX_HOPS = 20;

/** A value with the file it stands in: its references are relative to that. */
export interface Place {
  value: JsonObject;
  file: string;
}

/** Reads the files of one description. */
export class Reader {
  private readonly files = new Map<string, JsonObject>();
  private readonly located = new Map<string, Place & { id: string }>();
  private readonly ends = new Map<string, string>();

  load(file: string): JsonObject {
    let known = this.files.get(file);
    if (!known) {
      const text = readFileSync(file, "utf8");
      known = /\.json$/.test(file)
        ? (JSON.parse(text) as JsonObject)
        : (parse(text, { merge: true, uniqueKeys: false, maxAliasCount: -1, logLevel: "error" }) as JsonObject);
      this.files.set(file, known);
    }
    return known;
  }

  /** What one reference leads to, one step, and its address; an empty one where it leads nowhere. */
  locate(ref: string, from: string): Place & { id: string } {
    const [address = "", pointer = ""] = ref.split("#");
    if (/^https?:/.test(address)) return { id: ref, value: {}, file: from };
    const file = address === "" ? from : resolve(dirname(from), address);
    const id = `${file}#${pointer}`;
    let known = this.located.get(id);
    if (!known) {
      let node: JsonValue | undefined = this.load(file);
      const steps = pointer.split("/").slice(1);
      for (const [at, step] of steps.entries()) {
        const name = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
        node = (Array.isArray(node) ? node[Number(name)] : objectOf(node)[name]) as JsonValue | undefined;
        if (isObject(node) && typeof node["$ref"] === "string" && at < steps.length - 1)
          node = this.follow(node, file).value;
      }
      this.located.set(id, (known = { id, value: objectOf(node), file }));
    }
    return known;
  }

  /** The address a reference leads to in the end, over references to references. */
  end(ref: string, from: string): string {
    const { id } = this.locate(ref, from);
    let end = this.ends.get(id);
    if (end === undefined) {
      let place = this.locate(ref, from);
      for (let hop = 0; hop < MAX_HOPS && typeof place.value["$ref"] === "string"; hop++)
        place = this.locate(place.value["$ref"], place.file);
      this.ends.set(id, (end = place.id));
    }
    return end;
  }

  /** The value itself, or what its reference leads to; an empty one where it leads nowhere. */
  follow(given: JsonValue | undefined, from: string): Place {
    let place: Place = { value: objectOf(given), file: from };
    for (let hop = 0; hop < MAX_HOPS && typeof place.value["$ref"] === "string"; hop++)
      place = this.locate(place.value["$ref"], place.file);
    return place;
  }
}
