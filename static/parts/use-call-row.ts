// The row of a call, and the history it belongs to, as versions of what a part of the page has loaded.
import { useEffect, useState } from "preact/hooks";
import type { HistoryEntry } from "../../src/domain/record.js";
import { errorText } from "../state/api.js";
import { onChange } from "../state/changes.js";
import { loadRow } from "../state/results.js";

/** Changes that come together count as one: what is loaded again has to be here before the next. */
const PAUSE_MS = 250;

/** Counts up whenever a row of the history may be another than it was. */
export function useHistoryVersion(): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const count = () => {
      timer = undefined;
      setVersion((now) => now + 1);
    };
    const stop = onChange(({ kind }) => {
      if (kind === "history" || kind === "reconnected") timer ??= setTimeout(count, PAUSE_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
  return version;
}

/** The whole row, loaded by its id; again with every other `version`. */
export function useCallRow(id: number, version: unknown): { row: HistoryEntry | undefined; error: string } {
  const [state, setState] = useState<{ id: number; row?: HistoryEntry; error: string }>({ id, error: "" });
  useEffect(() => {
    let isGone = false;
    loadRow(id).then(
      (row) => isGone || setState({ id, row, error: "" }),
      (failure: unknown) => isGone || setState({ id, error: errorText(failure) }),
    );
    return () => {
      isGone = true;
    };
  }, [id, version]);
  return state.id === id ? { row: state.row, error: state.error } : { row: undefined, error: "" };
}
