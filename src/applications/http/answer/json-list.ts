// A long JSON text whose bulk is one list: the list's elements become lines, what surrounds it stays in memory.
import { ByteCollector } from "../../../lib/byte-collector.js";
import { valueAt } from "../../../lib/json-pointer.js";
import { parseOutsideJson } from "../../../lib/outside-json.js";
import { createElementSplitter, findList } from "./list-elements.js";
import { repairJson } from "./repair-json.js";
import type { RowSplitter } from "./row-splitter.js";

/** Bytes that may follow the list. */
const MAX_BEHIND = 1024 * 1024;

/** A splitter for a JSON text in UTF-8 that begins like this, and where its rows start; undefined when it is about no list. */
export function createListSplitter(beginning: Buffer): { splitter: RowSplitter; start: number } | undefined {
  const list = findList(beginning);
  if (!list) return undefined;
  const before = beginning.toString("utf8", 0, list.start).replace(/^\ufeff/, "");
  const elements = createElementSplitter();
  const behind = new ByteCollector();

  /** The answer with an empty list. */
  const whole = (): Omit<ReturnType<RowSplitter["around"]>, "path"> => {
    try {
      if (elements.hasEnded)
        return { value: parseOutsideJson(`${before}]${behind.bytes().toString("utf8")}`), isWhole: true };
    } catch {
      // The rows are still rows.
    }
    return { value: repairJson(`${before}]`), isWhole: false };
  };

  const splitter: RowSplitter = {
    get count() {
      return elements.count;
    },
    get end() {
      return elements.end;
    },
    get isOver() {
      return behind.length > MAX_BEHIND;
    },
    *cut(packet) {
      let rest = packet;
      if (!elements.hasEnded) {
        const own = elements.split(packet);
        yield packet.subarray(0, own);
        rest = packet.subarray(own + 1);
      }
      // An empty piece would keep its whole packet in memory.
      if (rest.length > 0) behind.add(rest);
    },
    finish: () => [],
    around() {
      const found = whole();
      // A name that comes twice in one object may have replaced the list: then the value is reported without its rows.
      if (Array.isArray(valueAt(found.value, list.path))) return { ...found, path: list.path };
      return { ...found, value: [], path: [] };
    },
  };
  return { splitter, start: list.start };
}
