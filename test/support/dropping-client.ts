// A client whose connection breaks again and again: it reads a turn at every entry point in turn, each time a few events, and goes
// on behind the last one it has. And what it must have in the end, against one that read everything.
import assert from "node:assert/strict";
import type { TurnEvent } from "../../src/domain/event.js";
import { postJson } from "./entry-points.js";
import { openChat } from "./raw.js";
import { type Arrived, readStream } from "./streams.js";

/** The names of a detached turn. */
export interface Names {
  turn_id: string;
  session_id: string;
}

/** Where a reader goes on, and how many events it takes before it leaves. */
interface Reading extends Names {
  after: number;
  most: number;
}

type Reader = (url: string, reading: Reading) => Promise<Arrived[]>;

const overHttp =
  (accept: string, path: (reading: Reading) => string, position: "header" | "query" = "header"): Reader =>
  async (url, reading) => {
    const { turn_id, after, most } = reading;
    const headers: Record<string, string> = { accept };
    if (position === "header") headers["last-event-id"] = `${turn_id}.${after}`;
    const query = position === "query" ? `?after=${after}` : "";
    const answer = await fetch(`${url}${path(reading)}${query}`, { headers });
    assert(answer.status === 200 || answer.status === 204, `${answer.status} ${path(reading)}`);
    const isEnough = ({ events }: { events: Arrived[] }): boolean =>
      events.length >= most || events.at(-1)?.event.kind === "done";
    const { events } = await readStream(answer, isEnough);
    return events.slice(0, most).map(({ seq, event }) => ({ seq, turn_id, event: own(event) }));
  };

/** Without the name of its turn, which lines of a session's stream have beside their own fields. */
function own(event: TurnEvent): TurnEvent {
  if (event.kind === "session" || event.kind === "confirmation_required") return event;
  const { turn_id: _, ...rest } = event as TurnEvent & { turn_id?: string };
  return rest as TurnEvent;
}

const overChat: Reader = async (url, { turn_id, after, most }) => {
  const chat = await openChat(`${url}/chat`);
  chat.send({ type: "resume", turn_id, after });
  const events = (): Arrived[] =>
    chat.frames.flatMap(({ seq, ...event }) =>
      event.kind === "ping" ? [] : [{ seq: Number(seq ?? 0), turn_id, event: event as unknown as Arrived["event"] }],
    );
  await chat.until(() => events().length >= most || events().at(-1)?.event.kind === "done");
  chat.close();
  // Without a number: nothing was left.
  return events()
    .slice(0, most)
    .filter(({ seq }) => seq > 0);
};

const turnPath = ({ turn_id }: Reading): string => `/-/turns/${turn_id}/events`;

/** Every way to go on. */
const READERS: readonly Reader[] = [
  overHttp("text/event-stream", turnPath),
  overHttp("application/x-ndjson", turnPath, "query"),
  overHttp("text/event-stream", ({ session_id }) => `/-/sessions/${encodeURIComponent(session_id)}/events`),
  overHttp("application/x-ndjson", ({ session_id }) => `/-/sessions/${encodeURIComponent(session_id)}/events`),
  overChat,
];

/** Every way to begin: a prompt that is detached, and the events that are read of it before the connection breaks. */
export const STARTS: Readonly<
  Record<string, (url: string, prompt: object, most: number) => Promise<Names & { events: Arrived[] }>>
> = {
  "POST /run": async (url, prompt) => {
    const answer = await postJson(`${url}/run`, { ...prompt, detach: true });
    return { ...((await answer.json()) as Names), events: [] };
  },
  "POST /run as server-sent events": async (url, prompt, most) =>
    streamed(url, { prompt, most, accept: "text/event-stream" }),
  "POST /run as NDJSON": async (url, prompt, most) => streamed(url, { prompt, most, accept: "application/x-ndjson" }),
  "WebSocket /chat": async (url, prompt, most) => {
    const chat = await openChat(`${url}/chat?events=extended`);
    chat.send({ ...prompt, detach: true });
    const frames = (): ({ kind: string; seq?: number } & Partial<Names>)[] =>
      chat.frames.filter(({ kind }) => kind !== "ping");
    await chat.until(() => frames().length >= Math.max(2, most) || frames().at(-1)?.kind === "done");
    chat.close();
    const [, session] = frames();
    const names = { turn_id: String(session?.turn_id), session_id: String(session?.session_id) };
    const events = frames().map(({ seq = 0, ...event }) => ({
      seq,
      turn_id: names.turn_id,
      event: event as unknown as Arrived["event"],
    }));
    return { ...names, events };
  },
};

async function streamed(
  url: string,
  { prompt, most, accept }: { prompt: object; most: number; accept: string },
): Promise<Names & { events: Arrived[] }> {
  const answer = await postJson(`${url}/run`, { ...prompt, detach: true, events: "extended" }, { headers: { accept } });
  const names = {
    turn_id: String(answer.headers.get("x-turn-id")),
    session_id: String(answer.headers.get("x-session-id")),
  };
  const isEnough = ({ events }: { events: Arrived[] }): boolean => events.length >= most;
  return { ...names, events: (await readStream(answer, isEnough)).events.slice(0, most) };
}

/** Reads on in pieces, of 0 to `most` events each, until `done`; adds to `events`. */
export async function readInPieces(
  url: () => string,
  { turn_id, session_id, events }: Names & { events: Arrived[] },
  { random, most }: { random: () => number; most: number },
): Promise<void> {
  while (events.at(-1)?.event.kind !== "done") {
    const reader = READERS[Math.floor(random() * READERS.length)] as Reader;
    const piece = { turn_id, session_id, after: events.at(-1)?.seq ?? 0, most: 1 + Math.floor(random() * most) };
    events.push(...(await reader(url(), piece)));
  }
}

/** Every event in one connection that does not break. */
export async function readWhole(url: string, turn_id: string): Promise<Arrived[]> {
  const answer = await fetch(`${url}/-/turns/${turn_id}/events`, { headers: { accept: "text/event-stream" } });
  return (await readStream(answer)).events;
}

const line = ({ seq, event }: Arrived): string => `${seq} ${JSON.stringify(event)}`;

/**
 * Checks that the pieces are the turn: every event once, in order, as the reader of the whole had it; only deltas may be missing,
 * where their message is there in their place.
 */
export function checkUnion(pieces: readonly Arrived[], whole: readonly Arrived[]): void {
  const numbers = pieces.map(({ seq }) => seq);
  assert.deepEqual(
    numbers,
    [...new Set(numbers)].sort((a, b) => a - b),
    "each once, in order",
  );
  const all = whole.map(line);
  assert.deepEqual(
    pieces.map(line).filter((one) => !all.includes(one)),
    [],
    "as they were sent",
  );
  const has = new Set(numbers);
  const missing = whole.filter(({ seq }) => !has.has(seq));
  assert.deepEqual(missing.filter(({ event }) => event.kind !== "assistant_delta").map(line), [], "nothing is lost");
}
