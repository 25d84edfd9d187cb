// The credentials of an application by the names of their schemes: a secret, a command that prints one, or an OAuth client.
// Source: docs/configuration.md, "Your application's credentials".
import { z } from "zod";
import { StartError } from "../domain/error.js";
import { isObject } from "../lib/json.js";
import { CommandShape, readSecretOrCommand, SECRET_OR_COMMAND } from "./command-entry.js";
import type { CommandSecret } from "./command-secret.js";
import { readQuery } from "./credentials.js";
import { byName, SECRET } from "./kinds.js";
import type { Found, Kind, Sources } from "./setting.js";

const GRANTS = ["client_credentials", "authorization_code", "device_code"] as const;
const text = z.string().min(1, "must not be empty");

const ClientSchema = z.strictObject({
  command: CommandShape.command.optional(),
  timeout_ms: CommandShape.timeout_ms,
  client_id: text.optional().describe("An OAuth client, in place of a secret."),
  client_secret: SECRET_OR_COMMAND.json.optional().describe("Its secret, if it has one."),
  grant: z.enum(GRANTS).optional().describe("How it gets tokens; with the last two by agentd login."),
  client_auth: z.enum(["basic", "body"]).optional().describe("Where id and secret are sent; basic by default."),
  scope: text.optional().describe("Scopes, separated by blanks; by default those that the operations need."),
  audience: text.optional().describe("The parameter audience."),
  resource: text.optional().describe("The parameter resource."),
  parameters: z.record(text, z.string()).optional().describe("Further parameters."),
  issuer: text.optional().describe("The authorization server, whose metadata name the endpoints."),
  token_url: text.optional().describe("The token endpoint."),
  authorization_url: text.optional().describe("Where a browser signs in."),
  device_url: text.optional().describe("The device authorization endpoint."),
  redirect_port: z.int().min(1).max(65_535).optional().describe("The port of the loopback redirect; any by default."),
});

type ClientEntry = z.infer<typeof ClientSchema>;

/** Entries of `auth` by the names of schemes. */
export const AUTH: Kind<Record<string, string | ClientEntry>> = byName(
  z.record(text, z.union([SECRET.json, ClientSchema])),
);

/** An OAuth client and what it asks for. */
export interface OAuthClient {
  grant: (typeof GRANTS)[number];
  clientId: string;
  /** Undefined for a public client. */
  clientSecret: string | CommandSecret | undefined;
  clientAuth: "basic" | "body";
  /** Undefined: what the operations need. */
  scope: string | undefined;
  /** What is sent beside what the grant itself says. */
  parameters: Readonly<Record<string, string>>;
  issuer: string | undefined;
  tokenUrl: string | undefined;
  authorizationUrl: string | undefined;
  deviceUrl: string | undefined;
  redirectPort: number | undefined;
}

/** What opens a scheme. */
export type ApplicationCredential = string | CommandSecret | OAuthClient;

/** Whether a credential is an OAuth client. */
export function isOAuthClient(credential: ApplicationCredential | undefined): credential is OAuthClient {
  return typeof credential === "object" && "clientId" in credential;
}

function urlOf(place: string, address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (!isWeb || url.username !== "" || url.password !== "" || url.hash !== "")
    throw new StartError(`${place} must be an http or https address without user, password and "#".`);
  return address;
}

function clientOf(place: string, entry: ClientEntry, sources: Sources): OAuthClient {
  const { client_id: clientId = "", client_secret, grant, audience, resource } = entry;
  const given = { ...entry.parameters };
  if (audience !== undefined) given["audience"] = audience;
  if (resource !== undefined) given["resource"] = resource;
  const at = (key: "issuer" | "token_url" | "authorization_url" | "device_url"): string | undefined =>
    urlOf(`${place}.${key}`, entry[key]);
  return {
    grant: grant ?? (client_secret === undefined ? "authorization_code" : "client_credentials"),
    clientId,
    clientSecret:
      client_secret === undefined ? undefined : readSecretOrCommand(`${place}.client_secret`, client_secret, sources),
    clientAuth: entry.client_auth ?? "basic",
    scope: entry.scope,
    parameters: readQuery({ value: given, origin: "config.json", place: `${place}.parameters` }, sources),
    issuer: at("issuer"),
    tokenUrl: at("token_url"),
    authorizationUrl: at("authorization_url"),
    deviceUrl: at("device_url"),
    redirectPort: entry.redirect_port,
  };
}

/** Credentials by their schemes. Throws StartError naming where a bad one stands. */
export function readAuth(
  { value: entries, place }: Found<Record<string, string | ClientEntry>>,
  sources: Sources,
): Record<string, ApplicationCredential> {
  const credentials: Record<string, ApplicationCredential> = {};
  for (const [name, entry] of Object.entries(entries)) {
    const here = `${place}.${name}`;
    const isClient = isObject(entry) && entry["client_id"] !== undefined;
    if (isObject(entry) && isClient === (entry["command"] !== undefined))
      throw new StartError(`${here} needs "client_id" or "command", and not both.`);
    const value = isClient ? clientOf(here, entry as ClientEntry, sources) : readSecretOrCommand(here, entry, sources);
    if (value !== undefined) credentials[name] = value;
  }
  return credentials;
}
