// Keeps results whole, beside other work: the file first, then its row, so that no row tells of a file that is not there; and what
// belongs to nothing is swept.
import { messageOf } from "../../domain/error.js";
import { toPointer } from "../../lib/json-pointer.js";
import type { ListToKeep, Rows } from "../../results/rows.js";
import type { ResultFiles } from "../results.js";
import type { Store } from "../store.js";
import type { KeptResultQueries } from "./queries/kept-results.js";
import type { WriteKind, Writer } from "./writing/writer.js";

const KEPT: WriteKind = { what: "the kept result", isSynced: false };

/** What a stopping daemon waits for results that are being written. */
const CLOSE_MS = 10_000;

/** How much is kept; nothing for 0. */
export interface KeepLimits {
  /** Of one result. */
  resultBytes: number;
  /** Of all together. */
  allBytes: number;
}

/** What the keeping of results needs. */
interface KeeperParts {
  writer: Writer;
  kept: KeptResultQueries;
  results: ResultFiles;
  timeOf(id: number): string;
  limits: KeepLimits;
  onWarning(message: string): void;
}

interface ResultKeeper extends Pick<Store, "keepResult" | "keptRows"> {
  /** Brings rows and files together: what belongs to nothing leaves. */
  sweep(): Promise<void>;
  /** Waits for what is being written, for a while. */
  close(): Promise<void>;
}

/** Keeps results of an open record. */
export function createResultKeeper(parts: KeeperParts): ResultKeeper {
  const { writer, kept, results, timeOf, limits, onWarning } = parts;
  const underWay = new Map<number, Promise<void>>();
  const stop = new AbortController();

  const forget = async (has: (id: number) => boolean): Promise<void> => {
    const gone = await writer.run(KEPT, () => kept.forget(has, limits.allBytes));
    for (const id of gone) results.remove(id);
  };
  const keep = async (id: number, { path, truncated, read }: ListToKeep): Promise<void> => {
    try {
      const ts = timeOf(id);
      const maxBytes = Math.min(limits.resultBytes, limits.allBytes);
      const written = await results.write({ id, ts }, read(), { maxBytes, signal: stop.signal });
      const row = { ...written, path: toPointer(path), truncated: written.truncated || truncated };
      if (await writer.run(KEPT, () => kept.add(id, row))) await forget(() => true);
      else results.remove(id);
    } catch (error) {
      // Without its row a file belongs to nothing, and is swept.
      if (!stop.signal.aborted) onWarning(`the whole result of call ${id} is not kept: ${messageOf(error)}`);
    }
  };
  return {
    keepResult(id, list) {
      if (limits.resultBytes === 0 || limits.allBytes === 0 || stop.signal.aborted) return Promise.resolve();
      const keeping = keep(id, list).finally(() => underWay.delete(id));
      underWay.set(id, keeping);
      return keeping;
    },
    async keptRows(id): Promise<Rows | undefined> {
      await underWay.get(id);
      const row = kept.of(id);
      return row && results.open({ id, ts: timeOf(id) }, row);
    },
    async sweep() {
      await forget(results.has);
      results.sweep((id) => underWay.has(id) || kept.of(id) !== undefined);
    },
    async close() {
      const timer = setTimeout(() => stop.abort(), CLOSE_MS);
      await Promise.all(underWay.values());
      clearTimeout(timer);
      stop.abort();
    },
  };
}
