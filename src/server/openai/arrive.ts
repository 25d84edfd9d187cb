// From a request of this format to a prompt of the agent: which model, which session, which modes, under which names.
// Source: docs/reference.md, "OpenAI-compatible routes".
import { randomBytes, randomUUID } from "node:crypto";
import type { Request } from "express";
import type { Agent, PromptRequest } from "../../domain/agent.js";
import type { ContextMessage } from "../../domain/message.js";
import { callerOf } from "../access/caller.js";
import { fingerprintOf, KEY_HEADER, keyScopeOf, parseKey } from "../request/idempotency-key.js";
import { modesOf } from "../request/mode-headers.js";
import { clientLabel } from "../request/request.js";
import { sessionHeader } from "../request/session-header.js";
import type { ArrivedPrompt } from "../run/answer-prompt.js";
import { ApiError, invalidField } from "./errors.js";
import type { CommonBody } from "./fields.js";
import { AGENT_MODEL, requestOf } from "./models.js";
import type { ApiPrompt } from "./prompt.js";

/** Before the id of a turn, in the id of its response. */
const RESPONSE_PREFIX = "resp_";

/** The response of a turn. */
export const responseId = (turn_id: string): string => `${RESPONSE_PREFIX}${turn_id}`;

/** The turn of a response. Throws ApiError not_found for an id of another form. */
export function turnIdOf(response_id: string, param: string | null = null): string {
  const turn_id = response_id.startsWith(RESPONSE_PREFIX) ? response_id.slice(RESPONSE_PREFIX.length) : "";
  if (turn_id !== "" && turn_id.length <= 200) return turn_id;
  throw unknownResponse(response_id, param);
}

/** The error for a response that is not there. */
export function unknownResponse(response_id: string, param: string | null = null): ApiError {
  const shown = JSON.stringify(response_id.slice(0, 100));
  return new ApiError("not_found", `There is no response ${shown}.`, { param, apiCode: "response_not_found" });
}

/** A UUID of version 7 (RFC 9562): the id says when it was made, so that nothing has to keep that. */
function newTurnId(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Seconds since 1970 at which an id of `newTurnId` was made; undefined for any other. */
export function madeAt(turn_id: string): number | undefined {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/.exec(turn_id) ?? [];
  return high === undefined ? undefined : Math.floor(Number.parseInt(`${high}${low}`, 16) / 1000);
}

/** Unix time. */
export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

/** The session that a body or a header names; undefined for a new one. */
async function namedSession(agent: Agent, req: Request, body: CommonBody): Promise<string | undefined> {
  const { conversation, previous_response_id: previous } = body;
  if (previous && conversation)
    throw invalidField(
      "previous_response_id",
      "Give either previous_response_id or conversation: both name a session.",
    );
  if (previous) {
    const turn = await agent.turn(turnIdOf(previous, "previous_response_id"));
    if (!turn) throw unknownResponse(previous, "previous_response_id");
    return turn.session_id;
  }
  if (conversation) return typeof conversation === "string" ? conversation : conversation.id;
  return sessionHeader(req.headers);
}

/** How the prompt of a route is made of its body. */
interface Asked {
  body: CommonBody;
  prompt: ApiPrompt;
  /** What goes along with the prompt in a session that exists. */
  inSession: readonly ContextMessage[];
  /** What else decides whether two requests ask for the same. */
  form: string;
  detach: boolean;
}

/** A prompt that arrived, but for its answer. */
type ArrivedRequest = Omit<ArrivedPrompt, "createAnswer"> & {
  /** As the client called it. */
  model: string;
  previous_response_id: string | null;
};

/** Understands a request. Throws AppError. */
export async function arrive(agent: Agent, req: Request, asked: Asked): Promise<ArrivedRequest> {
  const { body, prompt, inSession, form, detach } = asked;
  const model = body.model || AGENT_MODEL;
  const choice = requestOf(model, agent.providers());
  const policy = modesOf(req.headers);
  // What a client asks for by itself is no part of the conversation it is about.
  const named = prompt.isTask ? undefined : await namedSession(agent, req, body);
  const given = named === undefined ? prompt.context : inSession;
  const caller = callerOf(req);
  const { message } = prompt;
  const request: PromptRequest = {
    message,
    ...choice,
    policy,
    context: given.length > 0 ? given : undefined,
    tools: prompt.isTask ? "none" : undefined,
    session_id: named ?? randomUUID(),
    turn_id: newTurnId(),
    client: clientLabel(req.headers["x-agentd-client"], "openai"),
    caller,
  };
  const keyText = parseKey(req.headers[KEY_HEADER]);
  const scoped = { message, session_id: named, policy, ...choice, extended: true, detach, time_zone: undefined };
  const key = keyText && {
    key: keyText,
    scope: keyScopeOf(scoped, caller),
    fingerprint: fingerprintOf({ ...scoped, form, context: given }, caller),
  };
  return {
    request,
    detach,
    extended: true,
    key: key || undefined,
    model,
    previous_response_id: body.previous_response_id || null,
  };
}
