// How a command reaches an agent: one interface, whether it stands in this process or behind a daemon's address.
// Types only; connect.ts picks which one it is. Source: docs/reference.md, "Command line"
import type { TurnEvent } from "../../domain/event.js";
import type { HistoryEntry, HistoryQuery, SessionSummary } from "../../domain/record.js";

/** A prompt from the terminal. */
export interface ClientPrompt {
  message: string;
  session_id: string;
  /** Whether a confirmation can be answered here while the turn waits. */
  interactive: boolean;
}

/** Runs prompts. */
export interface AgentClient {
  /** Runs one turn. Throws StartError or AppError before the first event only. An abort cancels; the turn still ends with `done`. */
  prompt(prompt: ClientPrompt, signal: AbortSignal): AsyncGenerator<TurnEvent, void, void>;
  /** Answers a held call of a running turn. */
  decide(id: string, decision: "approve" | "deny"): Promise<void>;
  close(): Promise<void>;
}

/** Reads the record. */
export interface RecordClient {
  history(query: HistoryQuery): Promise<HistoryEntry[]>;
  sessions(limit: number): Promise<SessionSummary[]>;
  close(): Promise<void>;
}

/** The daemon that serves a data directory. */
export interface Daemon {
  pid: number;
  /** Such as http://127.0.0.1:4242. */
  address: string;
}
