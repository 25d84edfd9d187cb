// A long JSON text whose bulk is one list: the list's elements become lines, what stands around it stays in memory.
import { parseJson } from "../../../lib/json.js";
import { valueAt } from "../../../lib/json-pointer.js";
import { salvageJson } from "./repair-json.js";
import type { Cutter } from "./row-splitter.js";
import { createSplitter, findList } from "./split.js";

/** What may stand behind the list. */
const MAX_BEHIND = 1024 * 1024;

/** A cutter for a JSON text in UTF-8 that begins like this, and where its rows start; undefined when it is about no list. */
export function createListCutter(beginning: Buffer): { cutter: Cutter; start: number } | undefined {
  const list = findList(beginning);
  if (!list) return undefined;
  const before = beginning.toString("utf8", 0, list.start).replace(/^\ufeff/, "");
  const splitter = createSplitter();
  const behind: Buffer[] = [];
  let bytesBehind = 0;

  /** The answer with an empty list. */
  const whole = (): Omit<ReturnType<Cutter["around"]>, "path"> => {
    try {
      if (splitter.closed)
        return { value: parseJson(`${before}]${Buffer.concat(behind).toString("utf8")}`), isWhole: true };
    } catch {
      // The rows are still rows.
    }
    return { value: salvageJson(`${before}]`), isWhole: false };
  };

  const cutter: Cutter = {
    get count() {
      return splitter.count;
    },
    get end() {
      return splitter.end;
    },
    get isOver() {
      return bytesBehind > MAX_BEHIND;
    },
    *cut(packet) {
      let rest = packet;
      if (!splitter.closed) {
        const own = splitter.split(packet);
        yield packet.subarray(0, own);
        rest = packet.subarray(own + 1);
      }
      // An empty piece would keep its whole packet in memory.
      if (rest.length > 0) behind.push(rest);
      bytesBehind += rest.length;
    },
    finish: () => [],
    around() {
      const found = whole();
      // A name that comes twice in one object may have taken the list's place: then it stands for itself.
      if (Array.isArray(valueAt(found.value, list.path))) return { ...found, path: list.path };
      return { ...found, value: [], path: [] };
    },
  };
  return { cutter, start: list.start };
}
