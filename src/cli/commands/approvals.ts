// `agentd approvals`: the calls that wait for a person, with all there is to judge them by, and the decision on one.
// Source: docs/reference.md, "Confirmations".
import type { Decided } from "../../domain/agent.js";
import { StartError } from "../../domain/error.js";
import type { Confirmation } from "../../domain/record.js";
import { didYouMean } from "../../lib/did-you-mean.js";
import { toJson } from "../../lib/json.js";
import type { ApprovalsClient } from "../client/client.js";
import { connectApprovals } from "../client/connect.js";
import { defineCommand } from "../command.js";
import { TOKEN } from "../options.js";
import { describeCall, plainLabel } from "../terminal/confirm.js";
import { print, printJson, say } from "../terminal/output.js";

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

/** A call that waits, what the model wrote of it first: the daemon's own rows stand last, as in the question of a turn. */
function rowsOf(held: Confirmation, all: readonly Confirmation[]): string[] {
  const id = shortId(held.id, all);
  const { written, own } = describeCall(held, process.stdout.columns);
  return [
    // Without a model a person asked, for an undo.
    `${id}: ${held.provider === "" ? "this call waits for a yes" : "the model asks for this call"}`,
    ...written,
    ...own,
    `  asked: ${askedBy(held)}`,
    `  until: ${held.expires_at}, ${timeLeft(held.expires_at)} left; then it is denied`,
    `  yes:   agentd approvals approve ${id}`,
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
function report({ id, status, outcome }: Decided, asJson: boolean): number {
  if (!asJson && outcome) print(`${toJson(outcome.result, 2)}\n`);
  else if (!asJson)
    say(
      status === "approved"
        ? `approved ${id}; the turn that waits for it goes on`
        : `${status} ${id}; nothing was sent`,
    );
  return outcome?.status === "error" ? 1 : 0;
}

async function decide(
  client: ApprovalsClient,
  decision: "approve" | "deny",
  { given, reason, asJson }: { given: string; reason: string | undefined; asJson: boolean },
): Promise<number> {
  const held = await find(client, given);
  if (!asJson) for (const row of describeCall(held).own) say(row);
  const decided = await client.decide(held.id, reason === undefined ? { decision } : { decision, reason });
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
    json: { type: "boolean", describe: "Print what the daemon answers" },
    ...TOKEN,
  },
  examples: [
    ["agentd approvals", "what waits, with arguments, address and time left"],
    ["agentd approvals approve 3f2a91c7", "runs the call, and prints its result"],
    ['agentd approvals deny 3f2a91c7 --reason "not today"', ""],
  ],
  async run(args) {
    const action = ACTIONS.find((one) => one === (args.action || "list"));
    const given = String(args.id ?? "");
    const { reason } = args;
    if (action === undefined)
      throw usage(
        `agentd approvals does not know what to do with "${args.action}".${didYouMean(String(args.action), ACTIONS)}`,
      );
    if (action === "list" && reason !== undefined) throw usage("agentd approvals list has no use for --reason.");
    if (action !== "list" && given === "") throw usage(`agentd approvals ${action} needs the id of the call.`);
    const client = await connectApprovals(args);
    const asJson = args.json === true;
    try {
      return action === "list" ? await list(client, asJson) : await decide(client, action, { given, reason, asJson });
    } finally {
      await client.close();
    }
  },
});
