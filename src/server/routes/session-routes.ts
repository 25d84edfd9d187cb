// The routes of sessions: listed, searched, named, read as JSON or Markdown, deleted, cancelled.
// Source: docs/reference.md, "Sessions and turns".
import type { Request, Response } from "express";
import type { Agent } from "../../domain/agent.js";
import { AppError } from "../../domain/error.js";
import { MAX_SMALL_RESULT_BYTES, type TranscriptTurn } from "../../domain/record.js";
import { addUsage, type ModelUsage } from "../../domain/usage.js";
import { toJson } from "../../lib/json.js";
import { queryOf } from "../access/admit.js";
import { callerOf } from "../access/caller.js";
import { preferredType } from "../request/accept.js";
import { readJson } from "../request/body.js";
import { parseQuery } from "../request/query.js";
import { TitleBody } from "../request/request.js";
import type { StreamTimes } from "../response/event-stream.js";
import { markdownOf } from "../response/markdown-transcript.js";
import { goneSignal, sendJson, sendJsonPieces, sendPieces } from "../response/respond.js";
import { parameterOf, type Route } from "../route.js";

const ONE = "/-/sessions/{id}";
const MARKDOWN = "text/markdown";

/** The turn as a list needs it; the results are in the history, too. */
function withoutLargeResults(turn: TranscriptTurn): TranscriptTurn {
  const messages = turn.messages.map((message) =>
    message.role === "tool" && message.text.length > MAX_SMALL_RESULT_BYTES
      ? { ...message, text: "", omitted_chars: message.text.length }
      : message,
  );
  return { ...turn, messages };
}

function unknownSession(id: string): AppError {
  return new AppError("not_found", `There is no session ${JSON.stringify(id)}; GET /-/sessions lists them.`);
}

type Turns = AsyncIterable<TranscriptTurn>;

/** A session as the JSON text of one object, in pieces. */
async function* jsonOf(session: object, turns: Turns): AsyncGenerator<string, void, void> {
  yield `${toJson(session).slice(0, -1)},"turns":[`;
  let before = "";
  /** What the turns took together. */
  let usage: ModelUsage | undefined;
  for await (const turn of turns) {
    if (turn.usage) usage = usage ? addUsage(usage, turn.usage) : turn.usage;
    yield before + toJson(turn);
    before = ",";
  }
  yield usage ? `],"usage":${toJson(usage)}}` : "]}";
}

async function* mapped<From, To>(turns: AsyncIterable<From>, to: (turn: From) => To): AsyncGenerator<To, void, void> {
  for await (const turn of turns) yield to(turn);
}

/** Sends a transcript as the client likes it best: JSON, or Markdown where it names that. */
async function sendTranscript(
  agent: Agent,
  { req, res }: { req: Request; res: Response },
  { stalledMs }: StreamTimes,
): Promise<void> {
  const session_id = parameterOf(req);
  const { results } = parseQuery("transcript", queryOf(req.url));
  const signal = goneSignal(req, res);
  const [session, turns] = await Promise.all([agent.session(session_id), agent.transcript(session_id)]);
  if (!turns) throw unknownSession(session_id);
  const title = session?.title ?? "";
  if (preferredType(req, ["application/json", MARKDOWN]) === MARKDOWN) {
    const headers = {
      "Content-Type": `${MARKDOWN}; charset=utf-8`,
      "Content-Disposition": 'attachment; filename="conversation.md"',
    };
    return sendPieces(res, headers, { pieces: markdownOf({ session_id, title }, turns), signal, stalledMs });
  }
  const listed = results === "small" ? mapped(turns, withoutLargeResults) : turns;
  const { continues } = session ?? {};
  return sendJsonPieces(res, { pieces: jsonOf({ session_id, title, continues }, listed), signal, stalledMs });
}

/** Sends the sessions that a query asks for. */
async function sendSessions(agent: Agent, req: Request, res: Response): Promise<void> {
  const query = parseQuery("sessions", queryOf(req.url));
  sendJson(res, toJson(await agent.sessions({ ...query, signal: goneSignal(req, res) })));
}

/** The routes. */
export function sessionRoutes(agent: Agent, times: StreamTimes): Route[] {
  return [
    { method: "get", path: "/-/sessions", handle: (req, res) => sendSessions(agent, req, res) },
    { method: "get", path: ONE, handle: (req, res) => sendTranscript(agent, { req, res }, times) },
    {
      method: "patch",
      path: ONE,
      async handle(req, res) {
        const { title } = await readJson(req, res, TitleBody);
        const session = await agent.renameSession(parameterOf(req), title.replace(/\s+/g, " ").trim());
        if (!session) throw unknownSession(parameterOf(req));
        sendJson(res, toJson(session));
      },
    },
    {
      method: "delete",
      path: ONE,
      async handle(req, res) {
        if (!(await agent.deleteSession(parameterOf(req)))) throw unknownSession(parameterOf(req));
        res.writeHead(204).end();
      },
    },
    {
      method: "post",
      path: `${ONE}/cancel`,
      // It cancels its own turns there and no others.
      forReadOnly: true,
      async handle(req, res) {
        const cancelled = await agent.cancel(parameterOf(req), callerOf(req));
        if (cancelled === undefined) throw unknownSession(parameterOf(req));
        sendJson(res, toJson({ cancelled }));
      },
    },
  ];
}
