// Every setting of the daemon: one row each, under its property in `Settings`. Flag, variable, key in config.json, default,
// check and texts are here and nowhere else; merging, schema, help and documentation are made from them.
// Those of one entry of `providers` are in provider-table.ts. Source: docs/reference.md, "Command line"
import { resolve } from "node:path";
import { checkHost, checkUrl } from "./address.js";
import { readHeaders, readSecrets } from "./credentials.js";
import { MAX_TIMER_MS, MILLISECONDS, parseNumber, SECRET, SECRETS, SWITCH, TEXT, TEXTS, wholeNumber } from "./kinds.js";
import { MODEL, resolveProvider } from "./provider.js";
import { setting } from "./setting.js";
import { checkToken, findToken } from "./token.js";

/** A day: nothing waits longer for a daemon to stop. */
const MAX_GRACE_S = 86_400;

/** The row of the data directory, which has to be known before config.json is read. */
export const DATA_DIR = setting({
  name: "data_dir",
  notInFile: true,
  kind: TEXT,
  flags: [{ name: "data-dir", group: "everywhere" }],
  variables: ["AGENTD_DATA_DIR"],
  default: ".agentd",
  defaultNote: " here or above; AGENTD_DATA_DIR",
  description: "Where agentd keeps its data",
  more: "[found here or above](reference.md#the-data-directory)",
  resolve: (_found, { dataDir }) => dataDir,
});

/** The groups of keys in config.json, for editors. */
export const GROUPS: Readonly<Record<string, string>> = {
  target: "The application.",
  safety: "The safety modes in force from the start.",
};

/** All settings. */
export const SETTINGS = {
  dataDir: DATA_DIR,
  host: setting({
    name: "host",
    needsRestart: true,
    kind: TEXT,
    flags: [{ name: "host", alias: "bind", group: "listener" }],
    variables: ["AGENTD_HOST"],
    default: "127.0.0.1",
    description: "Address to listen on",
    more: "another than loopback needs a token",
    resolve: checkHost,
  }),
  port: setting({
    name: "port",
    needsRestart: true,
    kind: wholeNumber(0, 65_535),
    flags: [{ name: "port", group: "listener" }],
    variables: ["AGENTD_PORT"],
    default: 4242,
    description: "Port to listen on, 0 for a free one",
  }),
  token: setting({
    name: "token",
    kind: SECRET,
    flags: [
      { name: "token", group: "token", help: "The daemon's token; safer in AGENTD_TOKEN or a file" },
      { name: "token-file", group: "token", help: "A file that holds the token" },
    ],
    variables: ["AGENTD_TOKEN", "AGENTD_TOKEN_FILE"],
    defaultText: "none",
    description: "What every request must carry",
    more: "printable ASCII without spaces",
    isSecret: true,
    find: findToken,
    resolve: checkToken,
  }),
  allowedHosts: setting({
    name: "allowed_hosts",
    kind: TEXTS,
    flags: [{ name: "allowed-host", group: "listener", help: "A further Host name to answer to; may be repeated" }],
    variables: ["AGENTD_ALLOWED_HOSTS"],
    default: [],
    description: "Further Host names to answer to without a token",
    more: "in the variable separated by commas",
  }),
  insecureNoToken: setting({
    name: "insecure_no_token",
    kind: SWITCH,
    flags: [{ name: "insecure-no-token", group: "listener" }],
    variables: ["AGENTD_INSECURE_NO_TOKEN"],
    default: false,
    description: "Listen beyond this machine without a token",
  }),
  graceMs: setting({
    name: "grace_ms",
    kind: {
      json: wholeNumber(0, MAX_TIMER_MS).json,
      fromText: (text) => parseNumber(text, 0, MAX_GRACE_S),
      option: { type: "number", min: 0, max: MAX_GRACE_S },
    },
    flags: [{ name: "grace", group: "listener", help: "Seconds running turns get when the daemon stops" }],
    variables: ["AGENTD_GRACE"],
    unit: { name: "seconds", factor: 1000 },
    default: 10_000,
    description: "What running turns get when the daemon stops",
  }),
  provider: {
    configured: setting({
      name: "default_provider",
      kind: TEXT,
      flags: [{ name: "provider", group: "parts" }],
      variables: ["AGENTD_PROVIDER"],
      defaultText: "the first of `providers`",
      description: "Model provider: a name in config.json, or openai, anthropic, google, ollama, offline",
      more: "see [Models](#models)",
      resolve: resolveProvider,
      show: (provider) => provider?.name ?? null,
    }),
    /** What was asked for on top of the choice. */
    model: MODEL,
  },
  schemaFile: setting({
    name: "schema",
    kind: TEXT,
    flags: [{ name: "schema", group: "parts", help: "The schema document" }],
    variables: ["AGENTD_SCHEMA"],
    default: "schema.json",
    defaultNote: " in the data directory",
    description: "The schema document, relative to the data directory",
    more: "by flag or variable to the working directory",
    resolve: ({ value, origin }, { dataDir }) =>
      origin === "config.json" || origin === "default" ? resolve(dataDir, value) : resolve(value),
  }),
  baseUrl: setting({
    name: "target.base_url",
    kind: TEXT,
    flags: [{ name: "base-url", group: "parts" }],
    variables: ["AGENTD_BASE_URL"],
    defaultText: "the document's",
    description: "Address of the application; wins over the schema document",
    resolve: checkUrl,
  }),
  target: {
    headers: setting({
      name: "target.headers",
      kind: SECRETS,
      default: {},
      description: "Sent with every call to the application",
      isSecret: true,
      resolve: readHeaders,
    }),
    credentials: setting({
      name: "target.auth",
      kind: SECRETS,
      default: {},
      description: "The credential for a security scheme, by the scheme's name",
      more: "see [Your application's credentials](#your-applications-credentials)",
      isSecret: true,
      resolve: readSecrets,
    }),
    arguments: setting({
      name: "target.arguments",
      kind: SECRETS,
      default: {},
      description: "Arguments the model never sees, such as a token parameter, by the parameter's name",
      more: "see [Your application's credentials](#your-applications-credentials)",
      isSecret: true,
      resolve: readSecrets,
    }),
    timeoutMs: setting({
      name: "target.timeout_ms",
      kind: MILLISECONDS,
      default: 30_000,
      description: "One call to the application, to the last byte of its answer",
    }),
    allowFiles: setting({
      name: "target.allow_files",
      kind: SWITCH,
      default: false,
      description: "Let arguments that take bytes name files of this machine to be uploaded, as file:/absolute/path",
      more: "[more](reference.md#uploading-files)",
    }),
  },
  policy: {
    read_only: setting({
      name: "safety.read_only",
      kind: SWITCH,
      flags: [{ name: "read-only", group: "safety" }],
      variables: ["AGENTD_READ_ONLY"],
      default: false,
      description: "Refuse every call that changes something",
    }),
    dry_run: setting({
      name: "safety.dry_run",
      kind: SWITCH,
      flags: [{ name: "dry-run", group: "safety" }],
      variables: ["AGENTD_DRY_RUN"],
      default: false,
      description: "Send nothing to the application; show what would be sent",
    }),
    strict: setting({
      name: "safety.strict",
      kind: SWITCH,
      flags: [{ name: "strict", group: "safety" }],
      variables: ["AGENTD_STRICT"],
      default: false,
      description: "Refuse inferred tools and arguments that do not fit exactly",
    }),
    confirm: setting({
      name: "safety.confirm",
      kind: SWITCH,
      flags: [{ name: "confirm", group: "safety" }],
      variables: ["AGENTD_CONFIRM"],
      default: false,
      description: "Every changing call needs a person's yes",
    }),
  },
  maxIterations: setting({
    name: "max_iterations",
    kind: wholeNumber(1, 1000),
    default: 8,
    description: "Model calls a turn may take",
  }),
  turnTimeoutMs: setting({
    name: "turn_timeout_ms",
    kind: MILLISECONDS,
    default: 600_000,
    description: "A whole turn",
  }),
  maxTurns: setting({
    name: "max_turns",
    needsRestart: true,
    kind: wholeNumber(1, 10_000),
    default: 64,
    description: "Turns running at once",
  }),
  maxQueue: setting({
    name: "max_queue",
    needsRestart: true,
    kind: wholeNumber(1, 10_000),
    default: 32,
    description: "Prompts waiting in one session",
  }),
  historyKeepDays: setting({
    name: "history_keep_days",
    needsRestart: true,
    kind: wholeNumber(1, 36_500),
    defaultText: "for ever",
    description: "Days completed calls and decided confirmations are kept",
    more: "[more](reference.md#history)",
  }),
  confirmationTtlMs: setting({
    name: "confirmation_ttl_ms",
    needsRestart: true,
    kind: MILLISECONDS,
    default: 300_000,
    description: "How long a held call waits",
  }),
};
