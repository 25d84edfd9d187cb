// The routes of turns: the events of one, and those of a session's turns, replayed and followed by any number of readers; and what stops
// one call. Source: docs/reference.md, "Turns that outlive their client" and "Stopping one call".
import type { Request, Response } from "express";
import type { Agent } from "../../domain/agent.js";
import { AppError } from "../../domain/error.js";
import type { NumberedEvent } from "../../domain/event.js";
import type { ReadOptions, SessionEvent, TurnState } from "../../domain/turn-reading.js";
import { toJson } from "../../lib/json.js";
import { queryOf } from "../access/admit.js";
import { callerOf } from "../access/caller.js";
import { parseQuery, type QueryName } from "../request/query.js";
import { EventList } from "../response/event-list.js";
import { EventStream, type StreamTimes, streamTypeOf } from "../response/event-stream.js";
import { sendJson } from "../response/respond.js";
import { parameterOf, type Route } from "../route.js";
import type { Readers } from "../run/readers.js";

/** Where a reader goes on: behind this event. */
interface Position {
  /** Undefined for a bare number. */
  turn_id: string | undefined;
  seq: number;
}

/** Reads `<turn>.<n>` or `<n>`. */
function parsePosition(text: string): Position | undefined {
  const [, turn_id, digits = ""] = /^(?:(.{1,200})\.)?(\d{1,15})$/.exec(text) ?? [];
  return digits === "" ? undefined : { turn_id, seq: Number(digits) };
}

/** What a client says it has; the header wins, as an EventSource repeats the address it was given. Throws AppError. */
function positionOf(req: Request, route: QueryName & ("turnEvents" | "sessionEvents")): Position | undefined {
  const { after } = parseQuery(route, queryOf(req.url));
  const header = req.headers["last-event-id"];
  const given = typeof header === "string" && header !== "" ? header : after;
  if (given === undefined) return undefined;
  const position = parsePosition(given);
  if (!position || (route === "sessionEvents" && position.turn_id === undefined))
    throw new AppError("invalid_query", "after and Last-Event-ID must be the id of an event: TURN.NUMBER.");
  return position;
}

const unknownTurn = (id: string): AppError => new AppError("not_found", `There is no turn ${JSON.stringify(id)}.`);

const unknownCall = (turn_id: string, call_id: string): AppError =>
  new AppError("not_found", `There is no call ${JSON.stringify(call_id)} in a turn ${JSON.stringify(turn_id)}.`);

/** A turn as one JSON text: once it is over, or what is there of it. */
async function sendTurn(
  res: Response,
  agent: Agent,
  { state, read }: { state: TurnState; read: ReadOptions },
): Promise<void> {
  const { turn_id } = state;
  const list = new EventList();
  for await (const { seq, event } of agent.turnEvents(turn_id, read)) list.add(event, seq);
  // It is gone, or its token is.
  if (read.signal.aborted) return void res.destroy();
  const now = (await agent.turn(turn_id)) ?? state;
  const { result, last } = list;
  const isOver = now.status !== "running" && now.status !== "waiting";
  if (isOver && last === undefined) {
    res.writeHead(204).end();
    return;
  }
  // Its state is that of the events: it may have ended since they were read.
  const status = isOver && last !== "done" ? "running" : now.status;
  sendJson(res, list.toJson({ turn_id, session_id: now.session_id, status, result }));
}

/** Streams events to a reader in its own time, until there are no more or it goes away. */
async function sendEvents(
  req: Request,
  res: Response,
  { stream, events }: { stream: EventStream; events: AsyncGenerator<SessionEvent, void, void> },
): Promise<void> {
  if (req.method === "HEAD") {
    // Whether anything is left of a turn that is over is seen by looking; what still goes on is not waited for.
    if (!res.headersSent && (await events.next()).done) res.writeHead(204);
    await events.return();
    stream.open();
    return stream.end();
  }
  let isAnswered = false;
  try {
    for await (const event of events) {
      isAnswered = true;
      stream.send(event);
      await stream.drained();
      if (res.destroyed) return;
    }
  } catch (error) {
    // The session was deleted while it was followed.
    if (!res.headersSent || !(error instanceof AppError)) throw error;
    stream.send({ event: { kind: "error", message: error.message } });
    stream.send({ event: { kind: "done" } });
  }
  // An EventSource that is answered so does not ask again.
  if (!isAnswered && !res.headersSent) res.writeHead(204);
  stream.end();
}

/** The routes of a daemon; `times` of their streams. */
export function createTurnRoutes(agent: Agent, readers: Readers, times: StreamTimes): Route[] {
  const isReplay = true;

  return [
    {
      method: "get",
      path: "/-/turns/{id}/events",
      async handle(req, res) {
        const turn_id = parameterOf(req);
        const { turn_id: named, seq: after } = positionOf(req, "turnEvents") ?? { turn_id, seq: 0 };
        if (named !== undefined && named !== turn_id)
          throw new AppError("invalid_query", `${named} is another turn than the one that is asked for.`);
        const state = await agent.turn(turn_id);
        if (!state) throw unknownTurn(turn_id);
        res.setHeader("X-Turn-Id", turn_id);
        res.setHeader("X-Session-Id", state.session_id);
        const type = streamTypeOf(req);
        const follow = parseQuery("turnEvents", queryOf(req.url)).follow === "true";
        const read = { after, follow, signal: readers.admit(req, res) };
        if (!type) return sendTurn(res, agent, { state, read: { ...read, follow: follow && req.method !== "HEAD" } });
        const stream = new EventStream(res, { ...times, type, isReplay, names: "seq" });
        // What is over may have nothing left, which is another status.
        if (state.status === "running" || state.status === "waiting") stream.open();
        const events = withTurn(turn_id, agent.turnEvents(turn_id, read));
        return sendEvents(req, res, { stream, events });
      },
    },
    {
      method: "get",
      path: "/-/sessions/{id}/events",
      async handle(req, res) {
        const session_id = parameterOf(req);
        const { turn_id, seq: after } = positionOf(req, "sessionEvents") ?? { turn_id: undefined, seq: 0 };
        const signal = readers.admit(req, res);
        const events = await agent.sessionEvents(session_id, { turn_id, after, signal });
        // A name that is none cannot stand in a header; a session has one that can.
        res.setHeader("X-Session-Id", session_id);
        const type = streamTypeOf(req) ?? "text/event-stream";
        const stream = new EventStream(res, { ...times, type, isReplay, names: "seq and turn_id" });
        stream.open();
        return sendEvents(req, res, { stream, events });
      },
    },
    {
      method: "post",
      path: "/-/turns/{turn_id}/calls/{call_id}/cancel",
      // It stops calls of its own turns and no others.
      forReadOnly: true,
      async handle(req, res) {
        const turn_id = parameterOf(req, "turn_id");
        const call_id = parameterOf(req, "call_id");
        const cancelled = await agent.cancelCall(turn_id, call_id, callerOf(req));
        if (cancelled === undefined) throw unknownCall(turn_id, call_id);
        sendJson(res, toJson({ cancelled }));
      },
    },
  ];
}

async function* withTurn(
  turn_id: string,
  events: AsyncGenerator<NumberedEvent, void, void>,
): AsyncGenerator<SessionEvent, void, void> {
  for await (const numbered of events) yield { turn_id, ...numbered };
}
