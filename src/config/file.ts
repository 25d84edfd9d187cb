// config.json in the data directory: its zod schema, its JSON Schema for editors, and reading it.
// A file comes in, a checked object with wire names goes out; precedence and secrets are decided elsewhere.
// Source: reference, section 9.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { messageOf, StartError } from "../domain/error.js";
import { didYouMean } from "../lib/did-you-mean.js";

/** Name of the file in the data directory. */
export const CONFIG_NAME = "config.json";

/** Every kind of model provider a configuration can name. */
export const PROVIDER_TYPES = ["openai", "openai-compatible", "anthropic", "google", "offline", "scripted"] as const;
export type ProviderType = (typeof PROVIDER_TYPES)[number];

/** setTimeout fires at once beyond this many milliseconds. */
const LONGEST_MS = 2_147_483_647;
const count = (least: number, most: number) => z.int().min(least).max(most);
const milliseconds = count(1, LONGEST_MS);
const text = z.string().min(1, "must not be empty");
const secret = text.describe("A secret: env:NAME, file:PATH, or (with a warning) the value itself.");
const httpUrl = text.describe("An http or https address.");

const ProviderEntry = z.strictObject({
  type: z.enum(PROVIDER_TYPES).describe("The vendor's interface."),
  base_url: httpUrl.optional(),
  model: text.optional().describe("The model's name at the vendor."),
  api_key: secret.optional(),
  headers: z.record(text, secret).optional().describe("Sent with every model call."),
  history_limit: count(1, 10_000).optional().describe("Messages of a session the model is shown; 40 by default."),
  max_tools: count(1, 10_000).optional().describe("Above this many tools the model gets a search tool; 64 by default."),
  tool_tokens: count(500, 1_000_000)
    .optional()
    .describe("Tokens that the definitions of all tools of one model call may take, estimated; 8000 by default."),
  result_budget: count(200, 10_000_000).optional().describe("Characters of one tool result the model is shown."),
  timeout_ms: milliseconds.optional().describe("One model call, from the request to the last byte."),
  max_retries: count(0, 10).optional().describe("Extra attempts after a failure that may pass."),
  file: text.optional().describe("The file of turns a scripted provider plays, relative to the data directory."),
});

const TargetEntry = z.strictObject({
  base_url: httpUrl.optional().describe("Address of the target application; wins over the schema document."),
  headers: z.record(text, secret).optional().describe("Sent with every call to the target application."),
  auth: z.record(text, secret).optional().describe("The credential for a security scheme, by the scheme's name."),
  arguments: z
    .record(text, secret)
    .optional()
    .describe("Arguments the model never sees, such as a token parameter, by the parameter's name."),
  timeout_ms: milliseconds.optional().describe("One call to the target; 30000 by default."),
  allow_files: z.boolean().optional().describe("Let arguments name files on this machine to be uploaded."),
});

const SafetyEntry = z.strictObject({
  read_only: z.boolean().optional().describe("Refuse every call that is not read_only."),
  dry_run: z.boolean().optional().describe("Send nothing to the target; describe the request instead."),
  strict: z.boolean().optional().describe("Refuse inferred tools and arguments that do not fit exactly."),
  confirm: z.boolean().optional().describe("Every mutating or destructive call needs a person's yes."),
});

/** The whole of config.json. */
export const ConfigFile = z.strictObject({
  $schema: z.string().optional().describe("Where an editor finds this schema."),
  host: text.optional().describe("Address to listen on; 127.0.0.1 by default."),
  port: count(0, 65_535).optional().describe("Port to listen on; 4242 by default, 0 picks a free one."),
  token: secret.optional().describe("Token every request must carry: env:NAME or file:PATH."),
  allowed_hosts: z.array(text).optional().describe("Further Host names that are answered without a token."),
  insecure_no_token: z.boolean().optional().describe("Listen beyond loopback without a token."),
  grace_ms: count(0, LONGEST_MS).optional().describe("What running turns get when the daemon stops; 10000 by default."),
  schema: text.optional().describe("The schema document, relative to the data directory; schema.json by default."),
  default_provider: text.optional().describe("Name of an entry of providers; the first one by default."),
  providers: z.record(text, ProviderEntry).optional().describe("Model providers by name."),
  target: TargetEntry.optional().describe("The target application."),
  safety: SafetyEntry.optional().describe("The safety modes in force from the start."),
  max_iterations: count(1, 1000).optional().describe("Model calls a turn may take; 8 by default."),
  turn_timeout_ms: milliseconds.optional().describe("A whole turn; 600000 by default."),
  max_turns: count(1, 10_000).optional().describe("Turns running at once; 64 by default."),
  max_queue: count(1, 10_000).optional().describe("Prompts waiting in one session; 32 by default."),
  history_keep_days: count(1, 36_500).optional().describe("Days completed history rows are kept; for ever by default."),
  confirmation_ttl_ms: milliseconds.optional().describe("How long a held call waits for its yes; 300000 by default."),
});
export type ConfigFile = z.infer<typeof ConfigFile>;
export type ProviderEntry = z.infer<typeof ProviderEntry>;

const AREAS: Readonly<Record<string, readonly string[]>> = {
  "": Object.keys(ConfigFile.shape),
  providers: Object.keys(ProviderEntry.shape),
  target: Object.keys(TargetEntry.shape),
  safety: Object.keys(SafetyEntry.shape),
};

/** The JSON Schema of config.json, for editors. */
export function configJsonSchema(): object {
  return { title: "agentd config.json", ...z.toJSONSchema(ConfigFile, { io: "input" }) };
}

function sentence(issue: z.core.$ZodIssue): string {
  const place = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    const known = AREAS[String(issue.path[0] ?? "")] ?? [];
    return issue.keys.map((key) => `unknown key ${place ? `${place}.` : ""}${key}.${didYouMean(key, known)}`).join(" ");
  }
  if (issue.path.at(-1) === "type" && issue.path[0] === "providers")
    return `${place}: must be one of ${PROVIDER_TYPES.join(", ")}`;
  return `${place || "the file"}: ${issue.message}`;
}

/** Reads and checks config.json; an absent file is an empty one. Throws StartError naming the file and every fault. */
export async function readConfigFile(dataDir: string): Promise<ConfigFile> {
  const file = join(dataDir, CONFIG_NAME);
  let content: string;
  try {
    content = await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return {};
    if (code === "ENOTDIR")
      throw new StartError(`${dataDir} is not a directory. Choose another one with --data-dir.`, { cause: error });
    throw new StartError(`cannot read ${file}: ${messageOf(error)}`, { cause: error });
  }
  let value: unknown;
  try {
    value = JSON.parse(content.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new StartError(`${file} is not JSON: ${messageOf(error)}. Correct it, or move it away to use the defaults.`, {
      cause: error,
    });
  }
  const parsed = ConfigFile.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new StartError(`${file} cannot be used:\n${parsed.error.issues.map((i) => `  ${sentence(i)}`).join("\n")}`);
}
