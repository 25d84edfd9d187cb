// `agentd approvals`: the calls that wait for a person, with all there is to judge them by, and the decision on one.
// Source: docs/reference.md, "Confirmations".
import type { Decided } from "../../domain/agent.js";
import type { Decision } from "../../domain/decision.js";
import { StartError, usageError } from "../../domain/error.js";
import type { Confirmation } from "../../domain/record.js";
import { didYouMean } from "../../lib/did-you-mean.js";
import { visible } from "../../lib/invisible-characters.js";
import { isObject, type JsonObject, parseJson, toJson } from "../../lib/json.js";
import type { ApprovalsClient } from "../client/client.js";
import { connectApprovals } from "../client/connect.js";
import { defineCommand } from "../command.js";
import { parseWholeNumber, TOKEN } from "../options.js";
import { approvalList, approvalPages, shortId, timeLeft } from "../terminal/approval-rows.js";
import { askOnce, hasPerson } from "../terminal/ask.js";
import { describeCall, MAX_NAME_CHARS, plainLabel } from "../terminal/confirm.js";
import { print, printJson, say } from "../terminal/output.js";
import { PAGER, showText } from "../terminal/pager.js";
import { askQuestion } from "../terminal/question.js";
import { wholeTimeFor } from "../terminal/short-time.js";

const ACTIONS = ["list", "approve", "deny", "extend"] as const;
/** The beginning of an id, in place of an action. */
const SOME_ID = /^[0-9a-f][0-9a-f-]*$/;
/** What extend gives when nothing is said, and the most, in seconds. */
const USUAL_SECONDS = 600;
const MAX_SECONDS = 86_400;
const usage = (message: string): StartError => usageError(`${message} See agentd approvals --help.`);

/** Whether a call has all of these words anywhere: in its tool, arguments, request or who asked. */
function fits(held: Confirmation, search: string): boolean {
  const text = toJson(held).toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

interface Listed {
  json?: boolean | undefined;
  search?: string | undefined;
  long?: boolean | undefined;
  pager?: boolean | undefined;
}

/** Calls that wait, whole. */
async function show(held: readonly Confirmation[], all: readonly Confirmation[], args: Listed): Promise<number> {
  if (args.json) printJson(held);
  else await showText(approvalPages(held, all), args);
  return 0;
}

async function list(client: ApprovalsClient, args: Listed): Promise<number> {
  const all = await client.waiting();
  const { search } = args;
  const waiting = search === undefined ? all : all.filter((held) => fits(held, search));
  if (waiting.length === 0 && !args.json)
    say(all.length === 0 ? "No call waits for a decision." : "No call that waits fits.");
  else if (args.json || args.long) await show(waiting, all, args);
  else {
    await showText(approvalList(waiting, all), args);
    say("agentd approvals ID shows all of a call; approve ID and deny ID decide it.");
  }
  return 0;
}

/** The call that an id or its beginning names. Throws StartError when none waits or several could be meant. */
function find(waiting: readonly Confirmation[], given: string): Confirmation {
  const found = waiting.filter(({ id }) => id.startsWith(given));
  const [only, another] = found;
  if (only && !another) return only;
  if (!only)
    throw new StartError(
      `no call waits whose id begins with "${given}": it was decided, has expired or never was. agentd approvals lists those that wait, agentd history what became of the others.`,
    );
  const ids = found.map(({ id, tool }) => `\n  ${shortId(id, waiting)}  ${plainLabel(tool, MAX_NAME_CHARS)}`);
  throw usageError(`several calls wait whose id begins with "${given}":${ids.join("")}`);
}

/** The calls that ids or their beginnings name, each once. */
function findAll(waiting: readonly Confirmation[], ids: readonly string[]): Confirmation[] {
  return [...new Set(ids.map((id) => find(waiting, id)))];
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
  held: Confirmation;
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
  { held, reason, values, asJson }: Given & { asJson: boolean },
): Promise<number> {
  // A form can be filled in here, too.
  const asks = decision === "approve" && held.input?.fields !== undefined && values === undefined && hasPerson();
  const answer = asks ? await askQuestion(held, askOnce, new AbortController().signal) : undefined;
  if (!asJson && !asks) for (const row of describeCall(held).own) say(row);
  const said: Decision = answer ?? (values === undefined ? { decision } : { decision, arguments: values });
  const decided = await client.decide(held.id, reason === undefined ? said : { ...said, reason });
  if (asJson) printJson(decided);
  return report(decided, asJson);
}

/** Gives a call more time; the exit code. */
async function extend(
  client: ApprovalsClient,
  held: Confirmation,
  { seconds, asJson }: { seconds: number; asJson: boolean },
): Promise<number> {
  const { id, expires_at } = await client.extend(held.id, seconds);
  if (asJson) printJson({ id, expires_at });
  else say(`${id} waits until ${wholeTimeFor(process.stderr)(expires_at)}, ${timeLeft(expires_at)}`);
  return 0;
}

export const approvalsCommand = defineCommand({
  positionals: "[action] [id..]",
  positional: {
    action: {
      type: "string",
      choices: ACTIONS,
      describe:
        "list, which it does when nothing is said; the id of a call, to show all of it; approve; deny; or extend",
    },
    id: { type: "string", array: true, describe: "Which calls: their ids, or enough of their beginnings" },
  },
  options: {
    search: { type: "string", describe: "Only calls with these words in tool, arguments, request or who asked" },
    long: { type: "boolean", describe: "With list: all of every call" },
    reason: { type: "string", describe: "Why, for the model and the record" },
    arguments: {
      type: "string",
      describe:
        "With approve: the answer to what an application asks, or other arguments for the call, as a JSON object",
    },
    seconds: {
      type: "number",
      coerce: parseWholeNumber("seconds", 1, MAX_SECONDS),
      describe: `With extend: how long it waits from now on [default: ${USUAL_SECONDS}]`,
    },
    json: { type: "boolean", describe: "Print what the daemon answers, one JSON object a call" },
    ...PAGER,
    ...TOKEN,
  },
  examples: [
    ["agentd approvals", "what waits, a line each"],
    ["agentd approvals 3f2a91c7", "all of a call: what it would change, arguments, request, who asked"],
    ["agentd approvals approve 3f2a91c7", "runs the call, and prints its result"],
    [`agentd approvals approve 3f2a91c7 --arguments '{"seats": 2}'`, "answers what an application asks"],
    ["agentd approvals extend 3f2a91c7 --seconds 3600", "another hour to decide"],
    ['agentd approvals deny 3f2a91c7 --reason "not today"', ""],
  ],
  async run(args) {
    const isShown = SOME_ID.test(String(args.action ?? ""));
    const action = isShown ? "show" : ACTIONS.find((one) => one === (args.action || "list"));
    const ids = [isShown ? String(args.action) : [], args.id ?? []].flat();
    const { reason } = args;
    const values = parseValues(args.arguments);
    if (action === undefined)
      throw usage(
        `agentd approvals does not know what to do with "${args.action}".${didYouMean(String(args.action), ACTIONS)}`,
      );
    const reads = action === "list" || action === "show";
    if (reads && reason !== undefined)
      throw usage(`agentd approvals ${action === "list" ? "list" : "ID"} has no use for --reason.`);
    if (action !== "list" && args.long) throw usage("--long is for the list of calls.");
    if (action !== "approve" && values) throw usage(`agentd approvals ${action} has no use for --arguments.`);
    if (action !== "extend" && args.seconds !== undefined)
      throw usage(`agentd approvals ${action} has no use for --seconds.`);
    if (action !== "list" && args.search !== undefined)
      throw usage(`agentd approvals ${action} has no use for --search.`);
    if (values && ids.length > 1) throw usage("--arguments are for one call.");
    if (action !== "list" && ids.length === 0) throw usage(`agentd approvals ${action} needs the id of the call.`);
    const client = await connectApprovals(args);
    const asJson = args.json === true;
    try {
      if (action === "list") return await list(client, args);
      // All are found before any is decided: a wrong id among them decides none.
      const waiting = await client.waiting();
      const held = findAll(waiting, ids);
      if (action === "show") return await show(held, waiting, args);
      let code = 0;
      for (const one of held) {
        const ended =
          action === "extend"
            ? await extend(client, one, { seconds: args.seconds ?? USUAL_SECONDS, asJson })
            : await decide(client, action, { held: one, reason, values, asJson });
        code = Math.max(code, ended);
      }
      return code;
    } finally {
      await client.close();
    }
  },
});
