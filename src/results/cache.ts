// Results that were cut for the model and may be read again, of all sessions together and within bounds: the longest unread
// leave first. A value is kept as its text, which takes a fraction of its memory; rows stay where their transport put them.
import { parseJson } from "../lib/json.js";
import { type Result, toResult } from "./result.js";
import { cutList } from "./rows.js";

/** Kept for one session, so that a busy one does not push out all others. */
const MAX_IN_SESSION = 8;
const MAX_IN_ALL = 64;
/** Text in memory, of all results together. */
const MAX_CHARS = 32 * 1024 * 1024;
/** Rows on disk, of all results together: a few of the longest a transport sets aside. */
const MAX_ROW_BYTES = 1024 * 1024 * 1024;

/** The results of one session, by call id. */
export interface SessionResults {
  readonly size: number;
  /** The result of this call; one of the same id before it leaves. */
  keep(callId: string, result: Result): void;
  /** Undefined when it was never kept, or is not any more. */
  get(callId: string): Result | undefined;
  clear(): void;
}

/** The results of all sessions. */
interface ResultCache {
  /** The results of one more session. */
  open(): SessionResults;
  close(): Promise<void>;
}

interface Kept {
  session: object;
  callId: string;
  json: string;
  /** The result itself when its rows are not in memory. */
  long: Result | undefined;
}

/** An empty cache. */
export function createResultCache(): ResultCache {
  // A Set keeps insertion order: the first one is the longest unread.
  const all = new Set<Kept>();
  const closing = new Set<Promise<void>>();
  let chars = 0;
  let rowBytes = 0;

  const drop = (one: Kept): void => {
    if (!all.delete(one)) return;
    chars -= one.json.length;
    rowBytes -= one.long?.rows?.bytes ?? 0;
    const closed = one.long?.rows?.close();
    if (!closed) return;
    closing.add(closed);
    void closed.finally(() => closing.delete(closed));
  };
  const isTooMuch = (): boolean => all.size > MAX_IN_ALL || chars > MAX_CHARS || rowBytes > MAX_ROW_BYTES;

  const open = (): SessionResults => {
    const session = {};
    const own = (): Kept[] => [...all].filter((one) => one.session === session);
    const find = (callId: string): Kept | undefined => own().find((one) => one.callId === callId);
    return {
      get size() {
        return own().length;
      },
      keep(callId, result) {
        const known = find(callId);
        if (known) drop(known);
        const { rows } = result;
        // The first row says what the others look like; the rest of them need not be in memory, too.
        const long = rows && toResult(cutList(result.value, rows.path, 1), rows);
        const kept = { session, callId, json: (long ?? result).json, long };
        all.add(kept);
        chars += kept.json.length;
        rowBytes += rows?.bytes ?? 0;
        for (const one of own().slice(0, -MAX_IN_SESSION)) drop(one);
        for (const one of all) if (isTooMuch()) drop(one);
      },
      get(callId) {
        const one = find(callId);
        if (!one) return undefined;
        all.delete(one);
        all.add(one);
        return one.long ?? { value: parseJson(one.json), json: one.json };
      },
      clear() {
        for (const one of own()) drop(one);
      },
    };
  };

  return {
    open,
    async close() {
      for (const one of all) drop(one);
      await Promise.all(closing);
    },
  };
}
