// An answer too long for memory whose bulk is one list: its rows go to a file while they arrive, what stands around them and the
// first of them stay in memory. Anything else too long is left to the cap of the wire.
import { type JsonValue, parseJson } from "../../json.js";
import { openSpool, type Spool } from "../spool.js";
import type { Outcome } from "../transport.js";
import { isUtf8Json } from "./response.js";
import { salvageJson } from "./salvage.js";
import { createSplitter, findList, type Splitter } from "./split.js";
import type { Overflow, Sink, WireAnswer } from "./wire.js";

/** What events and the history keep of a result anyway; an answer up to this length is handled in memory. */
const IN_MEMORY = 1024 * 1024;
/** Decompressed bytes of rows that are set aside: five times the longest answer one can reasonably ask for; disks are not endless. */
const MAX_ROW_BYTES = 256 * 1024 * 1024;
/** One row; it is read whole. */
const MAX_ROW = 8 * 1024 * 1024;
/** What may stand behind the list. */
const MAX_BEHIND = 1024 * 1024;

/** The file for the rows cannot be written. */
export class SpoolError extends Error {}

/** A long answer in the making; one for a call. */
export interface LongAnswer extends Overflow {
  /** The outcome once the answer has ended; undefined when its rows were not set aside. */
  outcome(): Outcome | undefined;
  /** Forgets everything. */
  discard(): Promise<void>;
}

interface Parts {
  path: string[];
  spool: Spool;
  splitter: Splitter;
  /** The text up to and with the list's opening bracket. */
  before: string;
  /** The lines of the first rows. */
  first: string;
  behind: Buffer[];
}

/** The answer with its first rows in the place of all. */
function headValue({ before, first, behind }: Parts, isWhole: boolean): JsonValue {
  const text = `${before.replace(/^\ufeff/, "")}${first.trimEnd().replaceAll("\n", ",")}]`;
  if (!isWhole) return salvageJson(text);
  return parseJson(text + Buffer.concat(behind).toString("utf8"));
}

function outcomeOf(parts: Parts): Outcome {
  const { path, spool, splitter } = parts;
  let isWhole = splitter.closed;
  let value: JsonValue;
  try {
    value = headValue(parts, isWhole);
  } catch {
    // Not JSON behind the list: the rows are still rows.
    isWhole = false;
    value = headValue(parts, isWhole);
  }
  const { count, end: bytes } = splitter;
  return { status: "ok", value, rows: spool.rows({ path, count, bytes, truncated: !isWhole }) };
}

/** Takes over an answer to a call when it gets long; the rows go to a file in `folder`. */
export function createLongAnswer(folder: string): LongAnswer {
  let parts: Parts | undefined;

  const sinkFor = ({ spool, splitter, behind }: Parts): Sink => {
    let bytes = 0;
    let bytesBehind = 0;
    return {
      async write(chunk) {
        let rest = chunk;
        if (!splitter.closed) {
          const own = splitter.split(chunk);
          bytes += own;
          await spool.write(chunk.subarray(0, own)).catch((cause: Error) => {
            throw new SpoolError(cause.message, { cause });
          });
          rest = chunk.subarray(own + 1);
        }
        behind.push(rest);
        bytesBehind += rest.length;
        const tooMuch = bytes > MAX_ROW_BYTES || bytes - splitter.end > MAX_ROW || bytesBehind > MAX_BEHIND;
        // What is behind the list is not whole then, and says so by not being JSON.
        if (tooMuch) behind.push(Buffer.from(" …"));
        return !tooMuch;
      },
    };
  };

  const take = async ({ status, headers, bytes }: WireAnswer): Promise<Sink | undefined> => {
    if (status < 200 || status >= 300 || !isUtf8Json(headers["content-type"] ?? "")) return undefined;
    const list = findList(bytes);
    // Without a place on disk the answer is cut as any other.
    const spool = list && (await openSpool(folder).catch(() => undefined));
    if (!list || !spool) return undefined;
    const { path, start } = list;
    parts = {
      path,
      spool,
      splitter: createSplitter(),
      before: bytes.toString("utf8", 0, start),
      first: "",
      behind: [],
    };
    const sink = sinkFor(parts);
    const head = bytes.subarray(start);
    await sink.write(head);
    parts.first = head.toString("utf8", 0, parts.splitter.end);
    return sink;
  };

  return {
    afterBytes: IN_MEMORY,
    take,
    outcome: () => parts && outcomeOf(parts),
    discard: async () => parts?.spool.close(),
  };
}
