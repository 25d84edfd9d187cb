// Every setting of the daemon: one row each, under its property in `Settings`. Flag, variable, key in config.json, default,
// check and texts are here and nowhere else; merging, schema, help and documentation are made from them.
// Those of one entry of `providers` are in provider-table.ts, those of an application in application-table.ts.
// Source: docs/reference.md, "Command line"
import { resolve } from "node:path";
import { checkHost, checkOrigins } from "./address.js";
import { APPLICATIONS, resolveApplications } from "./application.js";
import { APPLICATION_SETTINGS, POLICY_SETTINGS } from "./application-table.js";
import { readCaFile } from "./ca-file.js";
import { KEEPING_SETTINGS } from "./keeping.js";
import {
  MAX_TIMER_MS,
  MILLISECONDS,
  PERMISSION_TABLE,
  parseNumber,
  SECRET,
  SWITCH,
  TEXT,
  TEXTS,
  wholeNumber,
} from "./kinds.js";
import { LIMIT_SETTINGS } from "./limits.js";
import { readBasePath, readSocketPath } from "./listener.js";
import { NOTIFY_SETTINGS } from "./notify.js";
import { CURRENCY } from "./price.js";
import { MODEL, PROVIDERS, resolveProvider } from "./provider.js";
import { setting, under } from "./setting.js";
import { checkToken, findToken } from "./token.js";
import { resolveTokens, TOKENS } from "./tokens.js";

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

const targetRows = under("target", APPLICATION_SETTINGS);
const policyRows = under("safety", POLICY_SETTINGS);

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
  listen: setting({
    name: "listen",
    needsRestart: true,
    kind: TEXT,
    flags: [{ name: "listen", group: "listener" }],
    variables: ["AGENTD_LISTEN"],
    defaultText: "`host` and `port`",
    description: "A unix socket to listen on in place of host and port, as unix:/PATH",
    more: "relative to the data directory, by flag or variable to the working directory; [more](reference.md#unix-socket)",
    resolve: readSocketPath,
    show: (path) => (path === undefined ? null : `unix:${path}`),
  }),
  basePath: setting({
    name: "base_path",
    needsRestart: true,
    kind: TEXT,
    flags: [{ name: "base-path", group: "listener" }],
    variables: ["AGENTD_BASE_PATH"],
    default: "/",
    description: "What stands before every path, such as /agent, behind a reverse proxy",
    more: "[more](reference.md#behind-a-reverse-proxy)",
    resolve: readBasePath,
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
  tokens: setting({
    name: "tokens",
    kind: TOKENS,
    default: {},
    description: "Further tokens, by names of your choice that the record keeps",
    more: 'a secret, or `{"token": …, "read_only": true}` for one that changes nothing; [more](reference.md#named-tokens)',
    isSecret: true,
    resolve: resolveTokens,
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
  allowedOrigins: setting({
    name: "allowed_origins",
    kind: TEXTS,
    flags: [
      { name: "allowed-origin", group: "listener", help: "An origin whose pages may use the API; may be repeated" },
    ],
    variables: ["AGENTD_ALLOWED_ORIGINS"],
    default: [],
    description: "Origins whose pages may use the HTTP API and /chat, such as https://shop.example",
    more: "in the variable separated by commas; [more](reference.md#pages-of-your-own)",
    resolve: checkOrigins,
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
      flags: [{ name: "provider", group: "model" }],
      variables: ["AGENTD_PROVIDER"],
      defaultText: "the first of `providers`",
      description: "Model provider: a name in config.json, a vendor's such as openai, ollama or offline",
      more: "see [Models](#models)",
      resolve: resolveProvider,
      show: (provider) => provider?.name ?? null,
    }),
    /** What was asked for on top of the choice. */
    model: MODEL,
    entries: PROVIDERS,
  },
  currency: CURRENCY,
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
  target: {
    ...targetRows,
    baseUrl: setting({
      ...targetRows.baseUrl,
      flags: [{ name: "base-url", group: "parts" }],
      variables: ["AGENTD_BASE_URL"],
    }),
  },
  applications: setting({
    name: "applications",
    kind: APPLICATIONS,
    default: {},
    description: "Further applications, by a name of your choice",
    resolve: resolveApplications,
  }),
  caFile: setting({
    name: "ca_file",
    needsRestart: true,
    kind: TEXT,
    flags: [{ name: "ca-file", group: "parts" }],
    variables: ["AGENTD_CA_FILE"],
    defaultText: "none",
    description: "Certificates (PEM) of authorities to trust beside the usual ones",
    more: "for models, applications and `agentd sync`; relative to the data directory, by flag or variable to the working directory; [more](reference.md#proxies-and-certificates)",
    resolve: readCaFile,
    show: (ca) => ca?.file ?? null,
  }),
  policy: {
    read_only: setting({
      ...policyRows.read_only,
      flags: [{ name: "read-only", group: "safety" }],
      variables: ["AGENTD_READ_ONLY"],
    }),
    dry_run: setting({
      ...policyRows.dry_run,
      flags: [{ name: "dry-run", group: "safety" }],
      variables: ["AGENTD_DRY_RUN"],
    }),
    strict: setting({
      ...policyRows.strict,
      flags: [{ name: "strict", group: "safety" }],
      variables: ["AGENTD_STRICT"],
    }),
    confirm: setting({
      ...policyRows.confirm,
      flags: [{ name: "confirm", group: "safety" }],
      variables: ["AGENTD_CONFIRM"],
    }),
  },
  permissions: setting({
    name: "permissions",
    kind: PERMISSION_TABLE,
    default: {},
    description: "What is said of single tools, by their full names, in which * stands for any characters",
    more: "`allow`, `ask` or `deny`; [more](reference.md#permissions)",
  }),
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
  ...KEEPING_SETTINGS,
  confirmationTtlMs: setting({
    name: "confirmation_ttl_ms",
    needsRestart: true,
    kind: MILLISECONDS,
    default: 300_000,
    description: "How long a held call waits",
  }),
  limits: LIMIT_SETTINGS,
  notify: NOTIFY_SETTINGS,
};
