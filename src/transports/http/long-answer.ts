// An answer too long for memory whose bulk is one list: its rows go to a file while they arrive, what stands around them and the
// first of them stay in memory. Anything else too long is left to the cap of the wire.
import { type JsonValue, parseJson } from "../../json.js";
import { under } from "../../rows.js";
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
/** More rows than this are not read, however short they are: going through them takes seconds of a processor. */
const MAX_ROWS = 5_000_000;
/** No person and no model reads further; and every row costs time to read, however short it is. */
const MAX_FIRST_ROWS = 20_000;
/** One row; it is read whole. */
const MAX_ROW = 8 * 1024 * 1024;
/** What may stand behind the list. */
const MAX_BEHIND = 1024 * 1024;

/** The file for the rows cannot be written. */
export class SpoolError extends Error {}

/** A long answer in the making; one for a call. */
export interface LongAnswer extends Overflow {
  /** The outcome once the answer has ended; undefined when its rows were not set aside. */
  outcome(): Promise<Outcome> | undefined;
  /** Forgets everything. */
  discard(): Promise<void>;
}

interface Parts {
  path: string[];
  spool: Spool;
  splitter: Splitter;
  /** The text up to and with the list's opening bracket, and the text from its closing one. */
  before: string;
  behind: Buffer[];
  /** Rows that stay in memory as well. */
  first: number;
}

/** The answer with an empty list; `isWhole` is false when it was cut, or is not JSON any more behind the list. */
function around({ before, behind, splitter }: Parts): { value: JsonValue; isWhole: boolean } {
  const text = `${before.replace(/^\ufeff/, "")}]`;
  try {
    if (splitter.closed) return { value: parseJson(text + Buffer.concat(behind).toString("utf8")), isWhole: true };
  } catch {
    // The rows are still rows.
  }
  return { value: salvageJson(text), isWhole: false };
}

async function outcomeOf(parts: Parts): Promise<Outcome> {
  const { value, isWhole } = around(parts);
  const list = under(value, parts.path);
  const { count, end: bytes } = parts.splitter;
  // A name that comes twice in one object may have taken the list's place: then it stands for itself.
  const [path, whole, first] = Array.isArray(list) ? [parts.path, value, list] : [[], [], []];
  const rows = parts.spool.rows({ path, count, bytes, truncated: !isWhole });
  for await (const batch of rows.read()) {
    for (const row of batch) if (first.length < parts.first) first.push(row);
    if (first.length >= parts.first) break;
  }
  return { status: "ok", value: path.length > 0 ? whole : first, rows };
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
        // An empty piece would keep its whole packet in memory.
        if (rest.length > 0) behind.push(rest);
        bytesBehind += rest.length;
        const tooMuch =
          bytes > MAX_ROW_BYTES ||
          bytes - splitter.end > MAX_ROW ||
          splitter.count > MAX_ROWS ||
          bytesBehind > MAX_BEHIND;
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
    const splitter = createSplitter();
    parts = { path, spool, splitter, before: bytes.toString("utf8", 0, start), behind: [], first: 0 };
    const sink = sinkFor(parts);
    await sink.write(bytes.subarray(start));
    parts.first = Math.min(splitter.count, MAX_FIRST_ROWS);
    return sink;
  };

  return {
    afterBytes: IN_MEMORY,
    take,
    outcome: () => parts && outcomeOf(parts),
    discard: async () => parts?.spool.close(),
  };
}
