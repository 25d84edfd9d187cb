// `agentd approvals`: the calls that wait for a person, with all there is to judge them by, and the decision on one.
// Source: docs/reference.md, "Confirmations".
import type { Decided } from "../../domain/agent.js";
import type { Decision } from "../../domain/decision.js";
import { StartError } from "../../domain/error.js";
import type { Confirmation } from "../../domain/record.js";
import { didYouMean } from "../../lib/did-you-mean.js";
import { visible } from "../../lib/invisible-characters.js";
import { isObject, type JsonObject, parseJson, toJson } from "../../lib/json.js";
import type { ApprovalsClient } from "../client/client.js";
import { connectApprovals } from "../client/connect.js";
import { defineCommand } from "../command.js";
import { TOKEN } from "../options.js";
import { askOnce, hasPerson } from "../terminal/ask.js";
import { describeCall, plainLabel } from "../terminal/confirm.js";
import { print, printJson, say } from "../terminal/output.js";
import { askQuestion } from "../terminal/question.js";

const ACTIONS = ["list", "approve", "deny"] as const;
/** The beginning of an id that is shown and taken: as git does with its own. */
const SHORT_ID_CHARS = 8;
const MAX_LABEL_CHARS = 64;

const usage = (message: string): StartError =>
  new StartError(`${message} See agentd approvals --help.`, { exitCode: 2 });

/** The shortest beginning, of SHORT_ID_CHARS or more, that only this id has. */
function shortId(id: string, all: readonly Confirmation[]): string {
  let length = SHORT_ID_CHARS;
  const isShared = (start: string): boolean => all.some((other) => other.id !== id && other.id.startsWith(start));
  while (length < id.length && isShared(id.slice(0, length))) length++;
  return id.slice(0, length);
}

function timeLeft(expires_at: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(expires_at) - Date.now()) / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function askedBy({ client, asked_by, session_id, provider, model }: Confirmation): string {
  const label = (text: string): string => plainLabel(text, MAX_LABEL_CHARS);
  const token = asked_by === "" ? "" : `, token ${label(asked_by)}`;
  const session = session_id === "" ? "" : `, session ${label(session_id)}`;
  const by = provider === "" ? "" : `, by ${label(provider)} (${label(model)})`;
  return `${label(client)}${token}${session}${by}`;
}

function headOf({ input, provider }: Confirmation): string {
  if (input) return "the application asks you";
  // Without a model a person asked, for an undo.
  return provider === "" ? "this call waits for a yes" : "the model asks for this call";
}

/** A call that waits, what the model wrote of it first: the daemon's own rows stand last, as in the question of a turn. */
function rowsOf(held: Confirmation, all: readonly Confirmation[]): string[] {
  const id = shortId(held.id, all);
  const { written, own } = describeCall(held, process.stdout.columns);
  return [
    `${id}: ${headOf(held)}`,
    ...written,
    ...own,
    `  asked: ${askedBy(held)}`,
    `  until: ${held.expires_at}, ${timeLeft(held.expires_at)} left; then it is denied`,
    `  yes:   agentd approvals approve ${id}${held.input?.fields ? " --arguments '{…}'" : ""}`,
    `  no:    agentd approvals deny ${id}`,
  ];
}

async function list(client: ApprovalsClient, asJson: boolean): Promise<number> {
  const waiting = await client.waiting();
  if (asJson) printJson(waiting);
  else if (waiting.length === 0) say("No call waits for a decision.");
  else print(`${waiting.map((held) => rowsOf(held, waiting).join("\n")).join("\n\n")}\n`);
  return 0;
}

/** The call that an id or its beginning names. Throws StartError when none waits or several could be meant. */
async function find(client: ApprovalsClient, given: string): Promise<Confirmation> {
  const waiting = await client.waiting();
  const found = waiting.filter(({ id }) => id.startsWith(given));
  const [only, another] = found;
  if (only && !another) return only;
  if (!only)
    throw new StartError(
      `no call waits whose id begins with "${given}": it was decided, has expired or never was. agentd approvals lists those that wait, agentd history what became of the others.`,
    );
  const ids = found.map(({ id, tool }) => `\n  ${shortId(id, waiting)}  ${plainLabel(tool, MAX_LABEL_CHARS)}`);
  throw new StartError(`several calls wait whose id begins with "${given}":${ids.join("")}`, { exitCode: 2 });
}

/** What came of the decision; the exit code. */
function report({ id, status, outcome, input }: Decided, asJson: boolean): number {
  if (!asJson) for (const notice of outcome?.notices ?? []) say(visible(notice));
  if (!asJson && outcome) print(`${toJson(outcome.result, 2)}\n`);
  else if (!asJson)
    say(
      status === "approved"
        ? `${input ? "answered" : "approved"} ${id}; the turn that waits for it goes on`
        : `${status} ${id}; ${input ? "the application is told" : "nothing was sent"}`,
    );
  return outcome?.status === "error" ? 1 : 0;
}

/** What the command line says of a decision. */
interface Given {
  given: string;
  reason: string | undefined;
  /** Values for a form, or other arguments for a call. */
  values: JsonObject | undefined;
}

/** The object of `--arguments`. Throws StartError. */
function parseValues(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    const values = parseJson(text);
    if (isObject(values)) return values;
  } catch {
    // Told below.
  }
  throw usage(`--arguments takes a JSON object, such as '{"seats": 2}'.`);
}

async function decide(
  client: ApprovalsClient,
  decision: "approve" | "deny",
  { given, reason, values, asJson }: Given & { asJson: boolean },
): Promise<number> {
  const held = await find(client, given);
  // A form can be filled in here, too.
  const asks = decision === "approve" && held.input?.fields !== undefined && values === undefined && hasPerson();
  const answer = asks ? await askQuestion(held, askOnce, new AbortController().signal) : undefined;
  if (!asJson && !asks) for (const row of describeCall(held).own) say(row);
  const said: Decision = answer ?? (values === undefined ? { decision } : { decision, arguments: values });
  const decided = await client.decide(held.id, reason === undefined ? said : { ...said, reason });
  if (asJson) printJson(decided);
  return report(decided, asJson);
}

export const approvalsCommand = defineCommand({
  positionals: "[action] [id]",
  positional: {
    action: { type: "string", describe: "list, which it does when nothing is said; approve; or deny" },
    id: { type: "string", describe: "Which call: its id, or enough of its beginning" },
  },
  options: {
    reason: { type: "string", describe: "Why, for the model and the record" },
    arguments: {
      type: "string",
      describe:
        "With approve: the answer to what an application asks, or other arguments for the call, as a JSON object",
    },
    json: { type: "boolean", describe: "Print what the daemon answers" },
    ...TOKEN,
  },
  examples: [
    ["agentd approvals", "what waits, with arguments, address and time left"],
    ["agentd approvals approve 3f2a91c7", "runs the call, and prints its result"],
    [`agentd approvals approve 3f2a91c7 --arguments '{"seats": 2}'`, "answers what an application asks"],
    ['agentd approvals deny 3f2a91c7 --reason "not today"', ""],
  ],
  async run(args) {
    const action = ACTIONS.find((one) => one === (args.action || "list"));
    const given = String(args.id ?? "");
    const { reason } = args;
    const values = parseValues(args.arguments);
    if (action === undefined)
      throw usage(
        `agentd approvals does not know what to do with "${args.action}".${didYouMean(String(args.action), ACTIONS)}`,
      );
    if (action === "list" && reason !== undefined) throw usage("agentd approvals list has no use for --reason.");
    if (action !== "approve" && values) throw usage(`agentd approvals ${action} has no use for --arguments.`);
    if (action !== "list" && given === "") throw usage(`agentd approvals ${action} needs the id of the call.`);
    const client = await connectApprovals(args);
    const asJson = args.json === true;
    try {
      return action === "list"
        ? await list(client, asJson)
        : await decide(client, action, { given, reason, values, asJson });
    } finally {
      await client.close();
    }
  },
});
