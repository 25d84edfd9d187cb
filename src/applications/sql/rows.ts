// The rows of a statement as an outcome: few stay in memory, many go to a file while they arrive, as those of long HTTP answers do.
import type { JsonObject, JsonValue } from "../../lib/json.js";
import { toJson } from "../../lib/json.js";
import { openSpool, type Spool } from "../../results/spool.js";
import type { Outcome } from "../transport.js";
import type { RowStream } from "./database.js";

/** Bytes of JSON that are handled in memory: what events and the history keep of a result anyway. */
const IN_MEMORY = 1024 * 1024;
/** Bytes and rows that are read of one statement; as much as of an HTTP answer. */
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_ROWS = 5_000_000;
/** Rows that stay in memory beside the file; no person and no model reads further. */
const MAX_FIRST_ROWS = 20_000;

/** Rows on their way. */
interface Collected {
  first: JsonObject[];
  /** The lines of the rows, until they are too many for memory. */
  lines: Buffer[];
  spool: Spool | undefined;
  count: number;
  bytes: number;
}

async function add(collected: Collected, batch: readonly JsonObject[], folder: string): Promise<void> {
  const line = Buffer.from(batch.map((row) => `${toJson(row)}\n`).join(""));
  if (collected.bytes <= IN_MEMORY && collected.first.length < MAX_FIRST_ROWS) collected.first.push(...batch);
  collected.count += batch.length;
  collected.bytes += line.length;
  if (!collected.spool) collected.lines.push(line);
  if (!collected.spool && collected.bytes > IN_MEMORY) {
    collected.spool = await openSpool(folder);
    for (const one of collected.lines.splice(0)) await collected.spool.write(one);
  } else await collected.spool?.write(line);
}

/** Reads a stream to its end, or as far as is read of one statement. Throws what the stream throws. */
export async function collectRows(stream: RowStream, folder: string): Promise<Outcome> {
  const collected: Collected = { first: [], lines: [], spool: undefined, count: 0, bytes: 0 };
  let truncated = false;
  try {
    for await (const batch of stream) {
      await add(collected, batch, folder);
      truncated = collected.bytes > MAX_BYTES || collected.count > MAX_ROWS;
      if (truncated) break;
    }
  } catch (error) {
    await collected.spool?.close();
    throw error;
  }
  const { first, spool, count, bytes } = collected;
  const value: JsonValue = first;
  if (!spool) return { status: "ok", value };
  return { status: "ok", value, rows: spool.rows({ path: [], count, bytes, truncated }) };
}
