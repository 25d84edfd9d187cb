// What `agentd doctor` asks over the network: the model one tiny question, each application whether it is there and takes its
// credentials, one of them the time. To an application nothing is sent but HEAD, and a GET that its description declares and that
// needs no argument. Neither is a call of a session, so neither is in the history.
// Source: docs/reference.md, "Doctor".
import { createTransports, impliedByTransport } from "../../applications/kinds.js";
import type { Target } from "../../applications/transport.js";
import { applicationSettings } from "../../config/application.js";
import type { Settings } from "../../config/settings.js";
import { settingsKey } from "../../domain/application-name.js";
import { messageOf } from "../../domain/error.js";
import type { Action } from "../../domain/schema-document.js";
import { openConnections } from "../../lib/connections.js";
import { dispatch } from "../../lib/http-exchange.js";
import { isObject, listOf } from "../../lib/json.js";
import type { Log } from "../../lib/log.js";
import type { Redactor } from "../../lib/redact/redact.js";
import { openProvider, targetOf } from "../../open.js";
import { type Application, openApplications } from "../../tools/applications.js";
import type { Catalogue } from "../../tools/catalogue.js";
import { tokensOf } from "../../tools/token-budget.js";
import { listApplications } from "../client/applications.js";
import { grouped } from "../terminal/usage.js";
import { type Check, failed, ok, warned } from "./check.js";
import { checkDatabase } from "./databases.js";
import { checkServer } from "./servers.js";

/** A person waits; a model that takes longer for two words is not well. */
const MODEL_MS = 60_000;
const HEAD_MS = 10_000;
/** Signatures and tokens are refused beyond a few minutes. */
const WORST_SKEW_MS = 5 * 60_000;
/** The header counts whole seconds, and the answer takes time. */
const NOTABLE_SKEW_MS = 30_000;

const MORE_OF_OLLAMA =
  'start Ollama with OLLAMA_CONTEXT_LENGTH=16384 or more, or write "PARAMETER num_ctx 16384" into a Modelfile';

const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** What Ollama takes in where nobody sets more. */
const OLLAMA_TOKENS = 4_096;

/** Words about a context that is small, of a server that cuts what is longer without a word; none where it is large enough. */
function tooSmall(settings: Settings, cutAt: number | undefined): string | undefined {
  if (cutAt === undefined) return undefined;
  const { tools } = openApplications(settings, { log: SILENT, implied: impliedByTransport }).current().catalogue;
  const needed = tools.reduce((sum, tool) => sum + tokensOf(tool), 0);
  if (cutAt > Math.max(OLLAMA_TOKENS, needed)) return undefined;
  return `its context is ${grouped(cutAt)} tokens, and the definitions of all tools take about ${grouped(needed)}: it cuts what is longer and does not say so`;
}

/** One call to the model, as small as it can be. */
export async function checkModel(settings: Settings, redactor: Redactor, isOffline: boolean): Promise<Check> {
  const check = "model";
  const { provider, why } = await openProvider(settings, { redactor, log: SILENT });
  const { type } = settings.provider.configured ?? {};
  if (type === "offline" || type === "scripted" || provider.confirmsChanges !== undefined)
    return ok(check, `${why}; it needs no network`);
  if (isOffline) return ok(check, `${why}; not asked (--offline)`);
  const question = { role: "user", text: "Reply with OK." } as const;
  const at = performance.now();
  const replies = provider.reply({ system: "", messages: [question], tools: [] }, AbortSignal.timeout(MODEL_MS));
  for (;;) {
    const step = await replies.next();
    if (!step.done) continue;
    const { usage } = step.value;
    const tokens = usage ? `, ${usage.input_tokens} + ${usage.output_tokens} tokens` : "";
    const answered = `${why}; it answered in ${Math.round(performance.now() - at)} ms${tokens}`;
    // The server knows the context in force now that the model is loaded.
    await provider.prepare?.(AbortSignal.timeout(MODEL_MS));
    const small = tooSmall(settings, provider.cutAt);
    return small === undefined ? ok(check, answered) : warned(check, `${answered}; ${small}`, MORE_OF_OLLAMA);
  }
}

/** Telling names of operations that look and do nothing else. */
const HARMLESS = /(health|ping|status|version|whoami|\/me)$/i;

/** The action whose answer says whether the credentials are taken: a declared GET without required arguments that nobody is asked about. */
function harmless(actions: readonly Action[]): Action | undefined {
  const fitting = actions.filter(({ safety, provenance, parameters, transport, operatorArguments, permission }) => {
    const isGet = transport.kind === "http" && transport["method"] === "GET";
    const needs = listOf(parameters["required"]).length > 0 || Object.keys(operatorArguments ?? {}).length > 0;
    const isLetGo = permission === undefined || permission.is === "allow";
    const isPlain = provenance === "declared" && !needs && !String(transport["path"]).includes("{");
    return isGet && safety === "read_only" && isPlain && isLetGo;
  });
  const pathOf = ({ transport }: Action): string => String(transport["path"]);
  return (
    fitting.find((action) => HARMLESS.test(pathOf(action))) ??
    fitting.sort((a, b) => pathOf(a).length - pathOf(b).length)[0]
  );
}

/** The question every GraphQL endpoint answers to those it takes: what its queries are called. Undefined for an application of another kind. */
function askedForItsName(actions: readonly Action[]): Action | undefined {
  const of = actions.find(({ transport }) => transport.kind === "graphql");
  if (!of) return undefined;
  const { tail, security } = of.transport;
  return {
    ...of,
    name: "__typename",
    transport: {
      kind: "graphql",
      operation: "query",
      field: "__typename",
      returns: "String!",
      ...(tail !== undefined && { tail }),
      ...(security !== undefined && { security }),
    },
  };
}

/** Status and `date` of an address's answer to HEAD, without credentials. Throws what kept it from answering. */
async function head(address: string): Promise<{ status: number; date: string | undefined }> {
  const { origin, pathname } = new URL(address);
  const connections = await openConnections({ connect: { timeout: HEAD_MS }, headersTimeout: HEAD_MS });
  try {
    const exchange = dispatch(await connections.wayTo(origin), { origin, path: pathname, method: "HEAD" });
    const { status, headers, body } = await exchange.answer;
    body.destroy();
    return { status, date: typeof headers["date"] === "string" ? headers["date"] : undefined };
  } finally {
    await connections.destroy();
  }
}

/** How far this machine's clock is from the one of a server. */
function clockCheck(host: string, date: string): Check {
  const check = "clock";
  const skew = Date.now() - Date.parse(date);
  const seconds = Math.round(Math.abs(skew) / 1000);
  const message =
    seconds === 0
      ? `this clock and the one of ${host} agree`
      : `this clock is ${seconds} s ${skew < 0 ? "behind" : "ahead of"} the one of ${host}`;
  const advice = "set this machine's clock, for example by NTP: tokens, signatures and certificates depend on it";
  if (Math.abs(skew) > WORST_SKEW_MS) return failed(check, message, advice);
  return Math.abs(skew) > NOTABLE_SKEW_MS ? warned(check, message, advice) : ok(check, message);
}

/** The clock by the first address that tells the time. */
export async function checkClock(addresses: readonly string[]): Promise<Check> {
  for (const address of addresses) {
    const { date } = await head(address).catch(() => ({ date: undefined }));
    if (date !== undefined && !Number.isNaN(Date.parse(date))) return clockCheck(new URL(address).host, date);
  }
  return warned("clock", "whether it is right cannot be told: nothing that answers says the time");
}

interface Context {
  settings: Settings;
  redactor: Redactor;
  isOffline: boolean;
}

/** What an answer says of the credentials. */
function answered(check: string, message: string, { headers, credentials, credentialsWait }: Target): Check {
  const isOpened = Object.keys(headers).length > 0 || Object.keys(credentials).length > 0;
  if (credentialsWait && isOpened)
    return warned(
      check,
      `${message}; its credentials are not sent`,
      "confirm its address: set base_url in config.json",
    );
  return ok(check, isOpened ? `${message}, and takes its credentials` : `${message}; it has no credentials configured`);
}

/** What came of a call with the application's credentials. */
async function probe(
  action: Action,
  check: string,
  { settings, application, redactor }: Context & { application: Application },
): Promise<Check> {
  const { dataDir } = settings;
  const transports = createTransports({ redact: redactor, spoolFolder: dataDir, dataDir, log: SILENT });
  try {
    const transport = await transports.get(action.transport.kind);
    if (!transport) return warned(check, `no way to call it is known: ${action.transport.kind}`);
    const target = targetOf(settings, application, redactor);
    const { status, value, rows } = await transport.execute(
      transport.prepare(action, { sent: {}, shown: {} }, target),
      target,
    );
    await rows?.close();
    const { kind, field, path } = action.transport;
    const where = kind === "graphql" ? `the query ${String(field)}` : `GET ${String(path)}`;
    if (status === "ok") return answered(check, `answers ${where} at ${target.baseUrl}`, target);
    const code = isObject(value) ? value["status"] : undefined;
    const message = `${where} at ${target.baseUrl}: ${isObject(value) ? String(value["message"]) : "failed"}`;
    // What it refuses for another reason than its credentials is a fault of the question perhaps.
    const isOwn = typeof code === "number" && code >= 400 && code < 500 && code !== 401 && code !== 403;
    return isOwn ? warned(check, message) : failed(check, message);
  } finally {
    await transports.close();
  }
}

/** Whether nothing may be sent to an application. */
const isDry = (settings: Settings, name: string): boolean =>
  settings.policy.dry_run || applicationSettings(settings, name).policy.dry_run;

const titleOf = (name: string): string => `application: ${name === "" ? "the one without a name" : name}`;

async function checkApplication(
  application: Application,
  { catalogue, ...context }: Context & { catalogue: Catalogue },
): Promise<Check> {
  const { settings, isOffline } = context;
  const { name, loaded, error } = application;
  const check = titleOf(name);
  if (!loaded) return failed(check, String(error));
  const { actions } = loaded.document;
  const { baseUrl } = targetOf(settings, application, context.redactor);
  const tools = `${actions.length} tools`;
  if (error) return warned(check, String(error));
  if (isOffline) return ok(check, `${tools}; not asked (--offline)`);
  if (isDry(settings, name)) return ok(check, `${tools}; not asked, because dry_run sends it nothing`);
  const { redactor } = context;
  const whole = () => ({ actions, target: targetOf(settings, application, redactor), settings, redactor, log: SILENT });
  if (actions.some(({ transport }) => transport.kind === "sql")) return checkDatabase(check, whole());
  if (actions.some(({ transport }) => transport.kind === "mcp")) return checkServer(check, whole());
  const asked = askedForItsName(actions);
  if (!asked && !actions.some(({ transport }) => transport.kind === "http"))
    return warned(check, `${tools}; whether it can be reached cannot be told for this kind`);
  if (baseUrl === "") return failed(check, `${tools}, and no address`, "set its base_url");
  // Each of these sentences begins with the place of what is missing.
  if (settings.missingSecrets.some((sentence) => sentence.startsWith(`${settingsKey(name)}.`)))
    return warned(check, `${tools}; not asked: what config is lacking comes first`);
  // With what config.json says of them.
  const named = catalogue.tools.filter((tool) => tool.application === name);
  const action = asked ?? harmless(named.flatMap((tool) => catalogue.action(tool.name) ?? []));
  if (action) return probe(action, check, { ...context, application });
  try {
    const { status } = await head(baseUrl);
    return ok(
      check,
      `${tools}; ${baseUrl} answers (${status}). Whether it takes its credentials cannot be told: no GET that needs no argument is declared and permitted`,
    );
  } catch (failure) {
    return failed(
      check,
      `${tools}; ${baseUrl} cannot be reached: ${messageOf(failure)}`,
      "start it, or correct its base_url",
    );
  }
}

/** Each application, and the addresses of those that have one. */
export async function checkApplications(context: Context): Promise<{ checks: Check[]; addresses: string[] }> {
  const { settings } = context;
  const current = openApplications(settings, { log: SILENT, implied: impliedByTransport }).current();
  const { applications, catalogue } = current;
  const asked = applications.filter(({ name }) => !isDry(settings, name));
  const addresses = asked
    .map((one) => targetOf(settings, one, context.redactor).baseUrl)
    .filter((address) => /^https?:/.test(address));
  const names = new Set(applications.map(({ name }) => name));
  const without = listApplications(settings).applications.filter(({ name }) => !names.has(name));
  if (applications.length + without.length === 0)
    return {
      checks: [warned("applications", "none is connected", "agentd sync openapi LOCATION connects a first one")],
      addresses,
    };
  const checks = await Promise.all(applications.map((one) => checkApplication(one, { ...context, catalogue })));
  return { checks: [...checks, ...without.map(({ name, error }) => failed(titleOf(name), error))], addresses };
}
