// POST /-/v1/chat/completions: the newest message of the user is a prompt, its answer one choice.
// Source: docs/reference.md, "OpenAI-compatible routes".
import type { Request, Response } from "express";
import { readText } from "../request/body.js";
import { answerArrived, type RunContext } from "../run/answer-prompt.js";
import { arrive, madeAt, nowInSeconds } from "./arrive.js";
import { createChatStream, createWholeChat } from "./chat-answer.js";
import { ChatBody, parseFields } from "./fields.js";
import { readMessages } from "./prompt.js";

/** Answers one request. */
export async function completeChat(context: RunContext, req: Request, res: Response): Promise<void> {
  const { agent, times } = context;
  const body = parseFields(ChatBody, await readText(req, res));
  const prompt = readMessages(body.messages, "messages");
  const isStreamed = body.stream === true;
  const arrived = await arrive(agent, req, { body, prompt, inSession: [], form: "chat.completions", detach: false });
  const { request, model } = arrived;
  const includesUsage = body.stream_options?.include_usage === true;
  try {
    await answerArrived(
      context,
      {
        ...arrived,
        createAnswer({ turn_id, session_id }) {
          res.setHeader("X-Session-Id", session_id);
          res.setHeader("X-Turn-Id", turn_id);
          const created = madeAt(turn_id) ?? nowInSeconds();
          const names = { id: `chatcmpl-${turn_id}`, created, model };
          return isStreamed ? createChatStream(res, names, { includesUsage, times }) : createWholeChat(res, names);
        },
      },
      { req, res },
    );
  } finally {
    // A session of its own with one title in it is of use to nobody; what its model call took is counted all the same.
    if (prompt.isTask && !arrived.key) await agent.deleteSession(request.session_id).catch(() => undefined);
  }
}
