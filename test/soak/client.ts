// A client of a daemon under test. It remembers what it was told: that has to be on record ever after, whatever happens to the daemon.
import assert from "node:assert/strict";
import type { AgentEvent } from "../../src/domain/event.js";
import { postJson } from "../support/entry-points.js";
import type { Served } from "../support/spawn.js";

/** What clients were told by the daemons of one data directory. */
export interface Heard {
  /** Status of each call of `create_pet`, by the name of its pet. */
  results: Map<string, string>;
  /** Turns that ended, by session. */
  turns: Map<string, number>;
}

export const createHeard = (): Heard => ({ results: new Map(), turns: new Map() });

/** A daemon, and what its clients were told. */
export interface Subject extends Served {
  heard: Heard;
}

/** The response to a prompt. */
export interface Answer {
  status: number;
  events: AgentEvent[];
}

/** Remembers the events of a turn. */
export function hear({ heard }: Subject, session_id: string, events: readonly AgentEvent[]): void {
  const names = new Map<string, string>();
  for (const event of events) {
    if (event.kind === "tool_call" && typeof event.arguments["name"] === "string")
      names.set(event.id, event.arguments["name"]);
    const name = event.kind === "tool_result" ? names.get(event.id) : undefined;
    if (event.kind === "tool_result" && name !== undefined) heard.results.set(name, event.status);
    if (event.kind === "done") heard.turns.set(session_id, (heard.turns.get(session_id) ?? 0) + 1);
  }
}

/** What a prompt has besides its message. */
export interface PromptOptions {
  session_id?: string | undefined;
  provider?: string | undefined;
}

/** Sends a prompt through POST /run. Throws when the connection breaks. */
export async function ask(daemon: Subject, message: string, options: PromptOptions = {}): Promise<Answer> {
  const answer = await postJson(`${daemon.url}/run`, { message, ...options });
  const { events = [], session_id = "" } = (await answer.json()) as { events?: AgentEvent[]; session_id?: string };
  if (answer.status === 200) hear(daemon, session_id, events);
  return { status: answer.status, events };
}

/** A prompt that must be answered, with `done` at the end of whatever the turn comes to. */
export async function askToEnd(daemon: Subject, message: string, options?: PromptOptions): Promise<AgentEvent[]> {
  const { status, events } = await ask(daemon, message, options);
  assert(status === 200, `"${message.slice(0, 80)}" was answered ${status}`);
  assert(events.at(-1)?.kind === "done", `"${message.slice(0, 80)}" ended without done`);
  return events;
}

/** A prompt whose turn must end in an answer of the model. */
export async function askWell(daemon: Subject, message: string, options?: PromptOptions): Promise<AgentEvent[]> {
  const events = await askToEnd(daemon, message, options);
  const last = events.at(-2);
  const end = JSON.stringify(last)?.slice(0, 200);
  assert(last?.kind === "assistant_message", `"${message.slice(0, 80)}" ended in ${end}`);
  return events;
}

/** A prompt that must make so many pets, called ID.0, ID.1, …; one by default. */
export async function make(
  daemon: Subject,
  id: string,
  { pets = 1, ...options }: PromptOptions & { pets?: number } = {},
): Promise<void> {
  const events = await askWell(daemon, `make ${id} ${pets}`, options);
  const results = events.filter((event) => event.kind === "tool_result");
  const wrong = results.find(({ status }) => status !== "ok");
  assert(!wrong, `a call for ${id} failed: ${JSON.stringify(wrong)?.slice(0, 200)}`);
  assert(results.length === pets, `${results.length} calls were made for ${id}, not ${pets}`);
}
