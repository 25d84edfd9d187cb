// What a client may send as JSON: prompts, frames and decisions, each checked by one schema. Text comes in, typed values go
// out; everything else is an AppError that names what is wrong. Source: docs/reference.md, "Running a prompt" and "WebSocket".
import { z } from "zod";
import type { PromptRequest } from "../../domain/agent.js";
import { Decision } from "../../domain/decision.js";
import { AppError } from "../../domain/error.js";
import type { ModelRequest } from "../../domain/model-choice.js";
import { SESSION_ID, SESSION_ID_RULE } from "../../domain/session-id.js";
import { isTimeZone } from "../../domain/time-zone.js";
import { isObject, type JsonValue } from "../../lib/json.js";
import { parseBody } from "./body.js";
import { validate } from "./validate.js";

/** The name of a session, as a client sends it. */
export const SessionId = z.string().regex(SESSION_ID, SESSION_ID_RULE);

const Mode = z.boolean().optional();

const MAX_NAME_CHARS = 300;
/** A configured provider or model, by its name; which there are is the agent's to say. */
const ConfiguredName = z.string().min(1, "must not be empty").max(MAX_NAME_CHARS).optional();

/** The body of a request that only tightens modes. */
export const ModesBody = z.strictObject({ read_only: Mode, dry_run: Mode, strict: Mode, confirm: Mode });

/** The body of POST /run and a prompt frame of /chat. */
export const PromptBody = z.strictObject({
  message: z.string().refine((text) => text.trim() !== "", "must not be empty"),
  ...ModesBody.shape,
  session_id: SessionId.optional(),
  provider: ConfiguredName,
  model: ConfiguredName,
  events: z.literal("extended").optional(),
  detach: z.boolean().optional(),
  continue_from: z.string().min(1).max(200).optional(),
  application: z.string().max(MAX_NAME_CHARS).optional(),
  time_zone: z.string().refine(isTimeZone, "must be the IANA name of a time zone, such as Europe/Berlin").optional(),
});

const CancelFrame = z.strictObject({ type: z.literal("cancel") });
const ConfirmFrame = z.strictObject({
  ...Decision.shape,
  type: z.literal("confirm"),
  id: z.string().min(1).max(200),
});

/** A prompt as its entry point understood it, which picks the session when none is named. */
export interface Prompt extends ModelRequest {
  message: string;
  session_id: string | undefined;
  policy: PromptRequest["policy"];
  extended: boolean;
  /** Whether the turn goes on when its client goes away. */
  detach: boolean;
  time_zone: string | undefined;
  continue_from?: string | undefined;
  application?: string | undefined;
}

const TurnId = z.string().min(1).max(200);
const AFTER_RULE = `must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`;
const After = z.int(AFTER_RULE).min(0, AFTER_RULE);

const ResumeFrame = z.strictObject({ type: z.literal("resume"), turn_id: TurnId, after: After.default(0) });

const FollowFrame = z
  .strictObject({ type: z.literal("follow"), turn_id: TurnId.optional(), after: After.optional() })
  .refine(({ turn_id, after }) => after === undefined || turn_id !== undefined, {
    path: ["after"],
    message: "needs a turn_id: it is the number of an event in that turn",
  });

/** A text frame a /chat client sent. */
export type Frame =
  | { kind: "prompt"; prompt: Prompt }
  | { kind: "cancel" }
  | { kind: "resume"; turn_id: string; after: number }
  | { kind: "follow"; turn_id: string | undefined; after: number }
  | { kind: "confirm"; id: string; decision: Decision };

/** The modes that a request turns on; it can turn none off. */
export function modesToPolicy({ read_only, dry_run, strict, confirm }: z.output<typeof ModesBody>): Prompt["policy"] {
  return {
    read_only: read_only ?? false,
    dry_run: dry_run ?? false,
    strict: strict ?? false,
    confirm: confirm ?? false,
  };
}

function toPrompt(value: JsonValue): Prompt {
  const prompt = validate(PromptBody, value, "invalid_body");
  const { message, session_id, provider, model, time_zone, events, detach = false, ...further } = prompt;
  const { continue_from, application, ...modes } = further;
  return {
    message,
    session_id,
    provider,
    model,
    policy: modesToPolicy(modes),
    extended: events === "extended",
    detach,
    time_zone,
    continue_from,
    application,
  };
}

/** The fields of a prompt are looked at and not copied; their names are bounded by the body. */
const ANY_MEMBERS = Number.POSITIVE_INFINITY;

/** The body of POST /run. Throws AppError invalid_body. */
export function parsePrompt(text: string): Prompt {
  return toPrompt(parseBody(text, ANY_MEMBERS));
}

/** The body of PATCH /-/sessions/{id}; "" takes the title away. */
export const TitleBody = z.strictObject({ title: z.string().max(200) });

/** A text frame: JSON when it starts with `{`, else a bare prompt. Throws AppError invalid_body. */
export function parseFrame(text: string): Frame {
  if (!text.startsWith("{")) return { kind: "prompt", prompt: toPrompt({ message: text }) };
  const value = parseBody(text, ANY_MEMBERS, "A frame that begins with {");
  if (!isObject(value) || !Object.hasOwn(value, "type")) return { kind: "prompt", prompt: toPrompt(value) };
  switch (value["type"]) {
    case "cancel":
      validate(CancelFrame, value, "invalid_body");
      return { kind: "cancel" };
    case "confirm": {
      const { id, type: _, ...decision } = validate(ConfirmFrame, parseBody(text), "invalid_body");
      return { kind: "confirm", id, decision };
    }
    case "resume": {
      const { turn_id, after } = validate(ResumeFrame, value, "invalid_body");
      return { kind: "resume", turn_id, after };
    }
    case "follow": {
      const { turn_id, after = 0 } = validate(FollowFrame, value, "invalid_body");
      return { kind: "follow", turn_id, after };
    }
    default:
      throw new AppError(
        "invalid_body",
        'type must be "cancel", "confirm", "follow" or "resume"; a prompt has no type.',
      );
  }
}

/** The most characters of a client's label that are kept. */
const MAX_LABEL = 128;

/** What a client calls itself in X-Agentd-Client, made harmless; the entry point's name when it sends nothing. */
export function clientLabel(header: string | string[] | undefined, entryPoint: string): string {
  const label = String(header ?? "").replace(/[^\x20-\x7e]/g, "");
  return label.slice(0, MAX_LABEL).trim() || entryPoint;
}
