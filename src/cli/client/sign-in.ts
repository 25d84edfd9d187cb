// From the settings and the document of an application to a sign-in: which client, at which endpoints, for which scopes.
// Source: docs/reference.md, "Signing in to an application".
import { createHttpClient, Deadline } from "../../applications/http/http-client.js";
import { oauthEndpoint } from "../../applications/http/oauth/endpoints.js";
import type { SignIn, SignInContext } from "../../applications/http/oauth/sign-in.js";
import { discover, endpointIn } from "../../applications/http/oauth/token-endpoint.js";
import { applicationSettings } from "../../config/application.js";
import { isOAuthClient, type OAuthClient } from "../../config/application-auth.js";
import { CommandSecret } from "../../config/command-secret.js";
import { secretParts } from "../../config/secret.js";
import type { Settings } from "../../config/settings.js";
import { settingsKey, UNNAMED } from "../../domain/application-name.js";
import { StartError, usageError } from "../../domain/error.js";
import type { SchemaDocument } from "../../domain/schema-document.js";
import { didYouMean } from "../../lib/did-you-mean.js";
import { isObject, listOf, textsOf } from "../../lib/json.js";
import { createRedactor } from "../../lib/redact/redact.js";
import { say } from "../terminal/output.js";
import { applicationDocument } from "./applications.js";

const METADATA_MS = 30_000;

/** One scheme that a person signs in for. */
interface SignInChoice {
  application: string;
  scheme: string;
  client: OAuthClient;
}

/** The clients by which a person signs in to an application, by their schemes. */
export function clientsOf(settings: Settings, application: string): Map<string, OAuthClient> {
  const { credentials } = applicationSettings(settings, application);
  return new Map(
    Object.entries(credentials).flatMap(([scheme, credential]) =>
      isOAuthClient(credential) && credential.grant !== "client_credentials" ? [[scheme, credential]] : [],
    ),
  );
}

/** What a client has to be written like. */
const EXAMPLE =
  '"SCHEME": {"client_id": "…", "issuer": "https://…"}, with the name of a security scheme of the description';

/** The application of that word; without one the only that people sign in to. Throws StartError. */
export function applicationOf(word: string, settings: Settings): string {
  const names = ["", ...settings.applications.keys()];
  const known = names.map((one) => one || UNNAMED);
  if (word !== "") {
    const name = word === UNNAMED ? "" : word;
    if (names.includes(name)) return name;
    throw usageError(
      `config.json has no applications.${word}, in whose auth the OAuth client of a sign-in stands.${didYouMean(word, known)} It has: ${known.join(", ")}.`,
    );
  }
  const [only, ...others] = names.filter((name) => clientsOf(settings, name).size > 0);
  if (only === undefined)
    throw usageError(
      `no application has an OAuth client that a person signs in with. Write one into target.auth or applications.NAME.auth of config.json: ${EXAMPLE}.`,
    );
  if (others.length === 0) return only;
  throw usageError(`which application? ${[only, ...others].map((one) => one || UNNAMED).join(", ")}`);
}

/** The scheme to sign in for. Throws StartError. */
export function choose(settings: Settings, application: string, named: string | undefined): SignInChoice {
  const clients = clientsOf(settings, application);
  const schemes = [...clients.keys()];
  const key = `${settingsKey(application)}.auth`;
  if (schemes.length === 0)
    throw new StartError(`${key} has no OAuth client that a person signs in with. Write one: ${EXAMPLE}.`);
  if (named === undefined && schemes.length > 1)
    throw usageError(`which scheme? --scheme takes one of ${schemes.join(", ")}.`);
  const scheme = named ?? schemes[0] ?? "";
  const client = clients.get(scheme);
  if (!client) throw usageError(`${key} has no OAuth client for ${scheme}.${didYouMean(scheme, schemes)}`);
  return { application, scheme, client };
}

/** The scopes that the tools need of a scheme. */
function scopesFor({ actions }: SchemaDocument, scheme: string): string {
  const scopes = actions.flatMap(({ transport }) =>
    listOf(transport["security"]).flatMap((one) => (isObject(one) ? textsOf(one[scheme]) : [])),
  );
  return [...new Set(scopes)].join(" ");
}

/** What the endpoints need of a document. */
function documentFor(settings: Settings, { application, scheme }: SignInChoice): SchemaDocument {
  const document = applicationDocument(settings, application);
  if (typeof document === "string") throw new StartError(document);
  if (document.auth[scheme]) return document;
  throw new StartError(
    `the description has no security scheme ${scheme}, so nothing would use its sign-in.${didYouMean(scheme, Object.keys(document.auth))}`,
  );
}

/** A secret of the client that could not be read must not make it one without a secret. */
function refuseMissing({ warnings }: Settings, { application, scheme }: SignInChoice): void {
  const place = `${settingsKey(application)}.auth.${scheme}.`;
  const missing = warnings.find((sentence) => sentence.startsWith(place) && sentence.includes(" refers to "));
  if (missing !== undefined) throw new StartError(missing);
}

/** What signing in needs of a command. */
export function openContext(settings: Settings, signal: AbortSignal): SignInContext & { close(): Promise<void> } {
  const client = createHttpClient();
  const redact = createRedactor(settings.secrets);
  return {
    client,
    redact,
    signal,
    say: (text) => say(redact.text(text)),
    async open(address) {
      if (!process.stdin.isTTY || !process.stderr.isTTY) return;
      const { default: open } = await import("open");
      // The address is displayed, too.
      await open(address).catch(() => undefined);
    },
    close: () => client.close(),
  };
}

/** The secret of a client, undefined for a public one. Throws HelperError. */
export async function clientSecretOf(
  { clientSecret: secret }: OAuthClient,
  context: SignInContext,
): Promise<string | undefined> {
  if (!(secret instanceof CommandSecret)) return secret;
  const learn = (text: string): void => {
    for (const part of secretParts(text)) context.redact.learn(part);
  };
  const log = { warn: (fields: object) => context.say(`agentd: warning: ${JSON.stringify(fields)}`) };
  return secret.text({ learn, log });
}

/** Everything a sign-in is made of. Throws StartError, CallError, TokenError and HelperError. */
export async function signInFor(
  settings: Settings,
  choice: SignInChoice,
  { byCode, context }: { byCode: boolean; context: SignInContext },
): Promise<SignIn> {
  refuseMissing(settings, choice);
  const { scheme: name, client } = choice;
  const document = documentFor(settings, choice);
  const scheme = document.auth[name] ?? {};
  const baseUrl = applicationSettings(settings, choice.application).baseUrl ?? document.base_url;
  const of = { name, scheme, client };
  const kind = byCode ? "device" : "authorization";
  const named = { token: oauthEndpoint("token", of, { baseUrl }), start: oauthEndpoint(kind, of, { baseUrl }) };
  const metadata = client.issuer === undefined ? undefined : await metadataOf(client.issuer, context);
  const tokenUrl = named.token ?? (metadata && endpointIn(metadata, "token_endpoint"));
  const startUrl =
    named.start ??
    (metadata && endpointIn(metadata, byCode ? "device_authorization_endpoint" : "authorization_endpoint"));
  if (tokenUrl === undefined || startUrl === undefined)
    throw new StartError(
      `nothing says where ${tokenUrl === undefined ? "tokens come from" : byCode ? "device codes come from" : "people sign in"} for ${name}: give its credential an "issuer", or "token_url" and "${kind}_url".`,
    );
  return {
    client,
    clientSecret: await clientSecretOf(client, context),
    scope: client.scope ?? scopesFor(document, name),
    tokenUrl,
    startUrl,
    issuer: client.issuer,
    namesItself: metadata?.authorization_response_iss_parameter_supported === true,
  };
}

async function metadataOf(issuer: string, context: SignInContext): ReturnType<typeof discover> {
  const deadline = new Deadline(METADATA_MS);
  try {
    return await discover(issuer, deadline, context);
  } finally {
    deadline.stop();
  }
}
