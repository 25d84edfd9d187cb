// How a command reaches an agent: one interface, whether it stands in this process or behind a daemon's address.
// Types only; connect.ts picks which one it is. Source: docs/reference.md, "Command line"
import type { Decided, UndoAnswer } from "../../domain/agent.js";
import type { Decision } from "../../domain/decision.js";
import type { TurnEvent } from "../../domain/event.js";
import type { ModelRequest, OfferedProvider } from "../../domain/model-choice.js";
import type { Policy } from "../../domain/policy.js";
import type { Confirmation, HistoryEntry, HistoryQuery, SessionSummary, TranscriptTurn } from "../../domain/record.js";
import type { Tool } from "../../domain/tool.js";
import type { JsonValue } from "../../lib/json.js";

/** A prompt from the terminal. */
export interface ClientPrompt extends ModelRequest {
  message: string;
  session_id: string;
  /** Whether a confirmation can be answered here while the turn waits. */
  interactive: boolean;
  /** Whether the extended events are wanted. */
  extended: boolean;
  /** Modes for this prompt; they can only tighten. */
  modes?: Partial<Policy>;
}

/** What a chat shows and does beside its prompts. */
export interface Aside extends Pick<UndoClient, "history" | "undo" | "decide"> {
  tools(): Promise<Tool[]>;
  sessions(limit: number): Promise<SessionSummary[]>;
}

/** Runs prompts. */
export interface AgentClient {
  /** Of the record that the prompts go to. */
  dataDir: string;
  /** Those that flags and variables turn on, for every prompt. */
  modes: Partial<Policy>;
  /** Loaded when it is first used. */
  aside(): Promise<Aside>;
  /** Runs one turn. Throws StartError or AppError before the first event only. An abort cancels; the turn still ends with `done`. */
  prompt(prompt: ClientPrompt, signal: AbortSignal): AsyncGenerator<TurnEvent, void, void>;
  /** Starts a turn that goes on without this client. Throws StartError where no daemon runs that it could go on in. */
  detach(prompt: Omit<ClientPrompt, "interactive" | "extended">): Promise<{ turn_id: string; session_id: string }>;
  /** The events of any turn, from its first, then followed to its end; an abort leaves it and ends nothing. */
  follow(turn_id: string, signal: AbortSignal): AsyncGenerator<TurnEvent, void, void>;
  /** What `--provider` and `--model` ask for; nothing when neither was given. Throws StartError. */
  requested(): Promise<ModelRequest>;
  /** The providers that a prompt may choose. */
  providers(): Promise<readonly OfferedProvider[]>;
  /** Answers a held call of a running turn. */
  decide(id: string, decision: Decision): Promise<void>;
  close(): Promise<void>;
}

/** Reads the record. */
export interface RecordClient {
  history(query: HistoryQuery): Promise<HistoryEntry[]>;
  sessions(limit: number, q?: string): Promise<SessionSummary[]>;
  /** Undefined for an unknown session. */
  conversation(session_id: string): Promise<Conversation | undefined>;
  close(): Promise<void>;
}

/** One conversation, as GET /-/sessions/{id} answers it: the resource, and the Markdown of it. */
interface Conversation {
  json: JsonValue;
  title: string;
  turns: readonly TranscriptTurn[];
  markdown: string;
}

/** Reads and decides the calls that wait for a person. */
export interface ApprovalsClient {
  /** Those that wait, oldest first. */
  waiting(): Promise<Confirmation[]>;
  /** Throws StartError or AppError when it is not there or was decided before. */
  decide(id: string, decision: Decision): Promise<Decided>;
  /** Gives it more time, from now on; never less than it has. Throws StartError or AppError as decide does. */
  extend(id: string, seconds: number): Promise<Confirmation>;
  close(): Promise<void>;
}

/** Takes recorded changes back. */
export interface UndoClient extends Pick<ApprovalsClient, "decide" | "close">, Pick<AgentClient, "dataDir"> {
  /** Newest first, results left out. */
  history(query: Omit<HistoryQuery, "results">): Promise<HistoryEntry[]>;
  /** Asks for the undo of a row, to be held until it is decided, in these modes too. Throws StartError or AppError when it cannot be undone. */
  undo(history_id: number, modes?: Partial<Policy>): Promise<UndoAnswer>;
}

/** The daemon that serves a data directory. */
export interface Daemon {
  pid: number;
  /** Such as http://127.0.0.1:4242 or unix:/run/agentd.sock; the base path stands behind it. */
  address: string;
}
