// The settings of one application: of `target`, the one without a name, and of each entry of `applications` in config.json.
// One row each. Flags and variables, which only the one without a name has, are in table.ts.
import { z } from "zod";
import { checkUrl } from "./address.js";
import { AUTH, readAuth } from "./application-auth.js";
import { readEnvironment, readHeaders, readSecrets } from "./credentials.js";
import { readDatabaseLocation } from "./database-location.js";
import { GLOSSARY, inFileOnly, MILLISECONDS, PERMISSION_TABLE, SECRETS, SWITCH, TEXT } from "./kinds.js";
import { setting, under } from "./setting.js";

/** The safety modes, for the whole daemon or for one application. */
export const POLICY_SETTINGS = {
  read_only: setting({
    name: "read_only",
    kind: SWITCH,
    default: false,
    description: "Refuse every call that changes something",
  }),
  dry_run: setting({
    name: "dry_run",
    kind: SWITCH,
    default: false,
    description: "Send nothing to the application; show what would be sent",
  }),
  strict: setting({
    name: "strict",
    kind: SWITCH,
    default: false,
    description: "Refuse inferred tools and arguments that do not fit exactly",
  }),
  confirm: setting({
    name: "confirm",
    kind: SWITCH,
    default: false,
    description: "Every changing call needs a person's yes",
  }),
};

/** The settings of an application, by their names in the program. */
export const APPLICATION_SETTINGS = {
  baseUrl: setting({
    name: "base_url",
    kind: TEXT,
    defaultText: "the document's",
    description: "Address of the application; wins over the schema document",
    resolve: checkUrl,
  }),
  headers: setting({
    name: "headers",
    kind: SECRETS,
    default: {},
    description: "Sent with every call to the application",
    isSecret: true,
    resolve: readHeaders,
  }),
  credentials: setting({
    name: "auth",
    kind: AUTH,
    default: {},
    description: "The credential for a security scheme, by the scheme's name",
    more: "see [Your application's credentials](#your-applications-credentials)",
    isSecret: true,
    resolve: readAuth,
  }),
  arguments: setting({
    name: "arguments",
    kind: SECRETS,
    default: {},
    description: "Arguments the model never sees, such as a token parameter, by the parameter's name",
    more: "see [Your application's credentials](#your-applications-credentials)",
    isSecret: true,
    resolve: readSecrets,
  }),
  timeoutMs: setting({
    name: "timeout_ms",
    kind: MILLISECONDS,
    default: 30_000,
    description: "One call to the application, to the last byte of its answer",
  }),
  undo: setting({
    name: "undo",
    kind: SWITCH,
    default: true,
    description: "Keep what undoing a call needs, where that can be known; false: no call can be undone",
    more: "[more](reference.md#undo)",
  }),
  allowFiles: setting({
    name: "allow_files",
    kind: SWITCH,
    default: false,
    description: "Let arguments that take bytes name files of this machine to be uploaded, as file:/absolute/path",
    more: "[more](reference.md#uploading-files)",
  }),
  location: setting({
    name: "location",
    kind: TEXT,
    defaultText: "that of the last sync",
    description:
      "Where the application's database is: a file, an address without a password, or env:NAME or file:PATH for one",
    more: "[more](databases.md#where-the-database-is)",
    isSecret: true,
    resolve: readDatabaseLocation,
  }),
  command: setting({
    name: "command",
    kind: inFileOnly(z.array(z.string().min(1, "must not be empty")).min(1, "must name a program")),
    defaultText: "that of the last sync",
    description: "The program that is the application's MCP server, with its arguments, run without a shell",
    more: "[more](mcp.md#mcp-servers-as-applications)",
  }),
  environment: setting({
    name: "environment",
    kind: SECRETS,
    default: {},
    description: "Environment variables of that program, by name; it gets no others but a few that every program needs",
    more: "[more](mcp.md#the-program)",
    isSecret: true,
    resolve: readEnvironment,
  }),
  trustAnnotations: setting({
    name: "trust_annotations",
    kind: SWITCH,
    default: false,
    description: "Believe the MCP server what it says of the safety of its tools, from the next sync on",
    more: "[more](mcp.md#safety)",
  }),
  superuserQuery: setting({
    name: "superuser_query",
    kind: SWITCH,
    default: false,
    description: "Permit free queries with a role of the database that may do anything",
    more: "[more](databases.md#free-queries)",
  }),
  glossary: setting({
    name: "glossary",
    kind: GLOSSARY,
    default: {},
    description: 'What people call things, by what the application calls them: `{"till": "POS terminal"}`',
    more: "[more](#your-own-words)",
  }),
  permissions: setting({
    name: "permissions",
    kind: PERMISSION_TABLE,
    default: {},
    description:
      "What is said of single tools, by their names within the application, in which * stands for any characters",
    more: "`allow`, `ask` or `deny`; [more](reference.md#permissions)",
  }),
  /** On top of the daemon's own. */
  policy: under("safety", POLICY_SETTINGS),
};
