// Who reads replayed and followed events: how many at once, and that all of them end when their token is no longer valid.
import type { Request, Response } from "express";
import type { Caller } from "../../domain/caller.js";
import { AppError } from "../../domain/error.js";
import { callerOf } from "../access/caller.js";
import { onResponseEnd } from "../response/respond.js";

/** Streams that are read at once; each holds a connection and at most a few megabytes for a reader that is slow. */
const MAX_READERS = 1024;

/** The readers of one daemon. */
export interface Readers {
  /** Counts a reader; the signal aborts when it goes away, or must. Throws AppError busy. */
  admit(req: Request, res: Response): AbortSignal;
  /** Ends those whose token is no longer valid. */
  revoke(isRevoked: (caller: Caller) => boolean): void;
}

/** No readers yet. */
export function createReaders(): Readers {
  const open = new Map<AbortController, Caller>();
  return {
    admit(req, res) {
      if (open.size >= MAX_READERS) throw new AppError("busy", `All ${MAX_READERS} readers of events are taken.`);
      const gone = new AbortController();
      open.set(gone, callerOf(req));
      onResponseEnd(req, res, () => {
        open.delete(gone);
        gone.abort();
      });
      return gone.signal;
    },
    revoke(isRevoked) {
      for (const [gone, caller] of open) if (isRevoked(caller)) gone.abort();
    },
  };
}
