// The named schemas of the OpenAPI document, made from the zod schemas that are the types of the wire.
// Loaded only when the document is asked for.
import { z } from "zod";
import { Decision, Extension } from "../../domain/decision.js";
import { ERROR_STATUS, type ErrorCode } from "../../domain/error.js";
import { AnyObject } from "../../domain/json-schemas.js";
import {
  DecidedSchema,
  OfferedProviderSchema,
  PublicConfigSchema,
  StatusSchema,
  UndoAnswerSchema,
} from "../../domain/schemas/agent.js";
import { ChangeSchema } from "../../domain/schemas/change.js";
import {
  ApplicationPreviewSchema,
  ConnectedApplicationSchema,
  ProviderTestSchema,
  SavedActionSchema,
  ToolCallAnswerSchema,
} from "../../domain/schemas/direct.js";
import { EffectSchema } from "../../domain/schemas/effect.js";
import { TurnEventSchema } from "../../domain/schemas/event.js";
import { MessageSchema } from "../../domain/schemas/message.js";
import { PolicySchema } from "../../domain/schemas/policy.js";
import {
  ConfirmationSchema,
  HistoryEntrySchema,
  SessionSummarySchema,
  TranscriptTurnSchema,
  TurnStatusSchema,
} from "../../domain/schemas/record.js";

import { ResultAnswerSchema } from "../../domain/schemas/result.js";

import { SettingsViewSchema } from "../../domain/schemas/settings.js";

import { ToolSchema } from "../../domain/schemas/tool.js";
import { ModelUsageSchema } from "../../domain/schemas/usage.js";
import type { JsonObject } from "../../lib/json.js";
import { ChatBody, ResponsesBody } from "../openai/fields.js";
import { ModesBody, PromptBody, TitleBody } from "../request/request.js";
import { ConnectBody, PreviewBody } from "../routes/application-routes.js";
import { ActionBody, ActionChangeBody, ProviderTestBody, ToolCallBody } from "../routes/tool-routes.js";

const SCHEMAS = {
  PromptBody,
  ModesBody,
  RunResult: z.object({
    result: z.string().describe("The last assistant_message, or an empty string."),
    session_id: z.string(),
    events: z.array(TurnEventSchema),
  }),
  AcceptedTurn: z.object({ turn_id: z.string(), session_id: z.string() }),
  ReplayedTurn: z.object({
    turn_id: z.string(),
    session_id: z.string(),
    status: z.enum(["waiting", ...TurnStatusSchema.options]),
    result: z.string().describe("The last assistant_message of these events, or an empty string."),
    events: z.array(z.intersection(TurnEventSchema, z.object({ seq: z.int() }))),
  }),
  Event: TurnEventSchema,
  Change: z.union([ChangeSchema, z.object({ kind: z.literal("ping") })]),
  PublicConfig: PublicConfigSchema,
  Status: StatusSchema,
  Settings: SettingsViewSchema,
  OfferedProvider: OfferedProviderSchema,
  SchemaDocument: z.object({ resources: z.array(AnyObject) }),
  Tool: ToolSchema,
  Policy: PolicySchema,
  HistoryEntry: HistoryEntrySchema,
  ResultAnswer: ResultAnswerSchema,
  Session: SessionSummarySchema,
  TitleBody,
  Transcript: z.object({
    session_id: z.string(),
    title: z.string(),
    continues: SessionSummarySchema.shape.continues,
    turns: z.array(TranscriptTurnSchema),
    usage: ModelUsageSchema.optional().describe("What the turns took together, where vendors say so."),
  }),
  TranscriptTurn: TranscriptTurnSchema,
  Message: MessageSchema,
  Confirmation: ConfirmationSchema,
  Decision,
  Extension,
  Decided: DecidedSchema,
  Effect: EffectSchema,
  UndoAnswer: UndoAnswerSchema,
  ToolCallBody,
  ToolCallAnswer: ToolCallAnswerSchema,
  ActionBody,
  ActionChangeBody,
  SavedAction: SavedActionSchema,
  PreviewBody,
  ConnectBody,
  ApplicationPreview: ApplicationPreviewSchema,
  ConnectedApplication: ConnectedApplicationSchema,
  ProviderTestBody,
  ProviderTest: ProviderTestSchema,
  ChatBody,
  ResponsesBody,
  OpenAiModel: z.object({ id: z.string(), object: z.literal("model"), created: z.int(), owned_by: z.string() }),
  OpenAiError: z.object({
    error: z.object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string() }),
  }),
  CancelledCall: z.object({ cancelled: z.boolean().describe("False when the call was over or had not begun.") }),
  Cancelled: z.object({ cancelled: z.int().describe("How many turns were stopped.") }),
  Error: z.object({
    error: z.object({
      code: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode]),
      message: z.string(),
      details: z.array(z.string()),
    }),
  }),
};

/** A schema of the document. */
export type SchemaName = keyof typeof SCHEMAS;

const uriOf = (name: string): string => `#/components/schemas/${name}`;

/** A reference to a named schema. */
export const schemaRef = (name: SchemaName): JsonObject => ({ $ref: uriOf(name) });

/** An array of a named schema. */
export const arrayOf = (name: SchemaName): JsonObject => ({ type: "array", items: schemaRef(name) });

/** JSON Schema without the lines that a document of its own would have. */
function withoutDialect(schema: object): JsonObject {
  const { $schema: _dialect, $id: _id, ...rest } = JSON.parse(JSON.stringify(schema)) as JsonObject;
  return rest;
}

/** The `properties` of a schema, by name. */
export function propertiesOf(schema: z.ZodObject): [string, JsonObject][] {
  const { properties = {} } = z.toJSONSchema(schema, { io: "input" });
  return Object.entries(properties).map(([name, property]) => [name, withoutDialect(property as object)]);
}

/** Every named schema as JSON Schema 2020-12, each referring to the others. */
export function namedSchemas(): JsonObject {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SCHEMAS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io: "input", unrepresentable: "any", uri: uriOf });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutDialect(schema)]));
}
