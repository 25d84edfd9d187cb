// What is in force, as GET /-/settings answers it, as zod schemas: types and the OpenAPI document are made from them, and nothing is
// parsed with them. Constructing them takes milliseconds: import their types only, except for the document, which is made on demand.
import { z } from "zod";
import { Timestamp } from "../json-schemas.js";
import { LIMIT_KINDS } from "../limits.js";
import { LimitStateSchema } from "./agent.js";

/** A safety mode of the daemon. */
const ModeStateSchema = z.object({
  on: z.boolean(),
  /** What says so; `provider` for one that the model provider turns on. */
  from: z.enum(["flag", "variable", "config", "provider", "default"]),
  /** In a sentence: what turned it on and what it takes to turn it off. */
  why: z.string(),
});

/** What a sync changed, by names of tools; of long lists the first ones. */
const LastDifferenceSchema = z.object({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(z.string()),
});

const Count = z.int();

/** An application. */
const ApplicationStateSchema = z.object({
  name: z.string(),
  title: z.string(),
  kind: z.string(),
  base_url: z.string(),
  /** Where its description was found, without what signs in. Not for a read-only token. */
  source: z.string().optional(),
  /** When its description was read; missing before the first sync of this version. */
  synced_at: Timestamp.optional(),
  tools: Count,
  safety: z.object({ read_only: Count, mutating: Count, destructive: Count }),
  /** What its last sync changed; missing when that was the first. */
  last_difference: LastDifferenceSchema.optional(),
  /** Why its document as it is now cannot be used; only then. */
  error: z.string().optional(),
  /** The modes that are on for it on top of those of the daemon. */
  modes: z.array(z.string()),
});

/** A credential, by its name. Never a value. */
const CredentialStateSchema = z.object({
  /** Its key in config.json. */
  name: z.string(),
  /** The application or provider, or "the clients of the daemon". */
  used_by: z.string(),
  set: z.boolean(),
});

const LimitsSchema = z.partialRecord(z.enum(LIMIT_KINDS), z.int());

/** GET /-/settings. */
export const SettingsViewSchema = z.object({
  modes: z.object({
    read_only: ModeStateSchema,
    dry_run: ModeStateSchema,
    strict: ModeStateSchema,
    confirm: ModeStateSchema,
  }),
  applications: z.array(ApplicationStateSchema),
  credentials: z.array(CredentialStateSchema),
  /** Days; null for ever. */
  retention: z.object({ history_keep_days: z.int().nullable(), session_keep_days: z.int().nullable() }),
  limits: z.object({
    session: LimitsSchema,
    day: LimitsSchema,
    today: z.array(LimitStateSchema),
    max_iterations: z.int(),
    max_turns: z.int(),
    max_queue: z.int(),
    turn_timeout_ms: z.int(),
    confirmation_ttl_ms: z.int(),
  }),
  version: z.string(),
  /** Of Node. */
  node: z.string(),
  record: z.object({ rows: z.int(), bytes: z.int() }),
  /** These two name paths of the machine. Not for a read-only token. */
  data_dir: z.string().optional(),
  files: z.object({ config: z.string(), applications: z.string(), record: z.string() }).optional(),
});
