// Calls without a model, saved actions, tests of providers and applications to be connected as zod schemas: types and the OpenAPI
// document are made from them. Constructing them takes milliseconds: import their types only, except for the document.
import { z } from "zod";
import { AnyJson, AnyObject, Timestamp } from "../json-schemas.js";
import { Safety } from "../schema-document.js";
import { HeldCallSchema, ResultStatusSchema } from "./event.js";

/** The answer to a call without a model. */
export const ToolCallAnswerSchema = z.object({
  call_id: z.string(),
  /** Its row; missing when none could be written. */
  history_id: z.int().optional(),
  status: ResultStatusSchema,
  result: AnyJson,
  duration_ms: z.number(),
  /** While it waits for a person's yes. */
  confirmation: HeldCallSchema.optional(),
});

/** A call that a person saved to make it again. */
export const SavedActionSchema = z.object({
  id: z.string(),
  title: z.string(),
  tool: z.string(),
  /** Name of the application that has the tool, "" for the one without a name and while no application has it. */
  application: z.string(),
  arguments: AnyObject,
  /** Whether it stands on the start page. */
  pinned: z.boolean(),
  created_at: Timestamp,
  /** False while there is no such tool, or a permission denies it. */
  available: z.boolean(),
});

/** The answer to a test of a provider. */
export const ProviderTestSchema = z.object({
  ok: z.boolean(),
  /** The model that answered. */
  model: z.string().optional(),
  /** Why none did. */
  error: z.string().optional(),
  duration_ms: z.int(),
});

const PreviewedTool = z.object({
  tool: z.string(),
  safety: Safety,
  description: z.string(),
});

/** What connecting an application would import. */
export const ApplicationPreviewSchema = z.object({
  kind: z.string(),
  name: z.string(),
  title: z.string(),
  /** Where calls would go, "" when nothing says so. */
  base_url: z.string(),
  tools: z.int(),
  safety: z.object({ read_only: z.int(), mutating: z.int(), destructive: z.int() }),
  /** The first of them, some of each safety class. */
  examples: z.array(PreviewedTool),
  /** Tools whose safety class a person should look at, with the reason. */
  doubtful: z.array(z.object({ ...PreviewedTool.shape, why: z.string() })),
  /** Operations that do not become tools. */
  skipped: z.array(z.object({ operation: z.string(), reason: z.string() })),
  /** Lines of config.json that supply what the tools need to sign in; empty where nothing is missing. */
  credentials: z.array(z.string()),
  /** Where config.json is. */
  config_file: z.string(),
  /** What a person should know though nothing failed, a sentence each. */
  notes: z.array(z.string()),
  /** Names the document that would be written. */
  digest: z.string(),
});

/** An application that was connected. */
export const ConnectedApplicationSchema = z.object({
  name: z.string(),
  kind: z.string(),
  base_url: z.string(),
  tools: z.int(),
});
