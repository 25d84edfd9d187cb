// What changes anywhere in the daemon, whoever changes it: one WebSocket for the whole page, open while anything listens.
// Changes are names; what is behind them is loaded by those who show it.
import { signal } from "@preact/signals";
import type { DaemonChange } from "../../src/domain/change.js";
import { Connection } from "./connection.js";

/** A change; `reconnected` when any may have been missed: at the start, and after a loss of the connection. */
export type Change = DaemonChange | { kind: "reconnected" };

/** Whether the daemon answers, as far as the connection of the page knows; undefined before it was there. */
export const isAnswering = signal<boolean | undefined>(undefined);

const listeners = new Set<(change: Change) => void>();
let connection: Connection | undefined;

function tell(change: Change): void {
  for (const listener of [...listeners]) listener(change);
}

/** Calls back with every change, until the function it returns is called. The listener must not throw. */
export function onChange(listener: (change: Change) => void): () => void {
  listeners.add(listener);
  connection ??= new Connection("/-/changes", {
    onOpen: () => {
      isAnswering.value = true;
      tell({ kind: "reconnected" });
    },
    onFrame: (frame) => tell(frame as unknown as Change),
    onLoss: () => {
      isAnswering.value = false;
    },
  });
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    connection?.close();
    connection = undefined;
  };
}
