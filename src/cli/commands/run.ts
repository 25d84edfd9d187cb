// `agentd run`: one prompt, one turn. Text to stdout, progress to stderr, or the event stream as NDJSON.
import { randomUUID } from "node:crypto";
import type { Decision } from "../../domain/decision.js";
import { Stopped, usageError } from "../../domain/error.js";
import { isBasic, type TurnEvent } from "../../domain/event.js";
import { SESSION_ID, SESSION_ID_RULE } from "../../domain/session-id.js";
import type { AgentClient, ClientPrompt } from "../client/client.js";
import { connectAgent } from "../client/connect.js";
import { type Confirm, readTurn } from "../client/run-prompt.js";
import { sessionGiven, sessionLine } from "../client/session-given.js";
import { defineCommand } from "../command.js";
import { MODEL_FLAGS, PARTS, SAFETY, TOKEN } from "../options.js";
import { askOnce, hasPerson } from "../terminal/ask.js";
import { askToConfirm } from "../terminal/confirm.js";
import { onInterrupt, type StopSignal } from "../terminal/interrupt.js";
import { print, printJson, say } from "../terminal/output.js";
import { promptText } from "../terminal/piped-input.js";
import { askQuestion } from "../terminal/question.js";
import { openTurnRenderer, type TurnRenderer } from "../terminal/render.js";

/** The session id to use: the one given, or a new one. Throws StartError for one that breaks the rule. */
export function checkSession(id: string | undefined): string {
  if (id === undefined) return randomUUID();
  if (SESSION_ID.test(id)) return id;
  throw usageError(`--session: ${SESSION_ID_RULE}.`);
}

/** The conversation of a prompt, and what is to be said of it; `checked` is what checkSession gave. Throws StartError. */
async function sessionOf(
  dataDir: string,
  typed: string | undefined,
  checked: string,
): Promise<{ id: string; introduction: string }> {
  if (typed === undefined) return { id: checked, introduction: `session ${checked}` };
  const given = await sessionGiven(dataDir, checked);
  return { id: given.id, introduction: given.isNew || given.id !== typed ? sessionLine(given) : "" };
}

const NOBODY: Decision = { decision: "deny", reason: "nobody sits at this terminal who could answer" };

/** What decides held calls: `--yes`, the person at the terminal, or nothing. No flag answers what an application asks. */
export function confirmWith(yes: boolean, ask = askOnce): Confirm | undefined {
  const isThere = hasPerson();
  if (!yes && !isThere) return undefined;
  return async (held, signal) => {
    if (held.input) return isThere ? askQuestion(held, ask, signal) : NOBODY;
    return yes ? { decision: "approve" } : askToConfirm(held, ask, signal);
  };
}

/** Why nothing ends yet: a call that was sent is awaited. Behind a Ctrl-C it begins below the ^C that a terminal displays. */
export function sayStopping(signal: StopSignal): void {
  const isTyped = signal === "SIGINT";
  say(`${isTyped && process.stdin.isTTY ? "\n" : ""}stopping${isTyped ? "; Ctrl-C again leaves" : ""}`);
}

/** A turn as the options ask for it. */
interface Run {
  client: AgentClient;
  json: boolean;
  /** Whether --json prints the extended events, too. */
  extended: boolean;
  /** Whether a call that failed or is held counts as a failure. */
  strictCalls: boolean;
  /** Whether it says what each model call took. */
  verbose: boolean;
  /** Whether it says nothing but the answer. */
  quiet: boolean;
  confirm: Confirm | undefined;
}

async function eventRenderer({ client, json, extended, verbose, quiet }: Run): Promise<TurnRenderer> {
  if (json) return { render: (event) => (extended || isBasic(event) ? printJson(event) : undefined), rest: () => {} };
  return openTurnRenderer({ usage: verbose, quiet, isDryRun: client.modes.dry_run === true });
}

/** Takes a turn's events to their end; the exit code. */
async function readToEnd(
  run: Run,
  events: AsyncGenerator<TurnEvent, void, void>,
  onEvent: (event: TurnEvent) => void = () => {},
): Promise<number> {
  const { client, confirm, strictCalls } = run;
  const shown = await eventRenderer(run);
  let callsFailed = false;
  const render = (event: TurnEvent): void => {
    if (event.kind === "tool_result" && event.status === "error") callsFailed = true;
    onEvent(event);
    shown.render(event);
  };
  const isWhole = await readTurn(client, events, { render, rest: shown.rest, confirm });
  return isWhole && !(strictCalls && callsFailed) ? 0 : 1;
}

/** Runs a prompt to its end; the exit code. `introduction` says which conversation it is in, where that is not what was typed. */
async function runHere(run: Run, prompt: ClientPrompt, introduction: string): Promise<number> {
  const stop = new AbortController();
  const release = onInterrupt((signal) => {
    sayStopping(signal);
    stop.abort(new Stopped("cancelled"));
  });
  try {
    return await readToEnd(run, run.client.prompt(prompt, stop.signal), (event) => {
      // A session has its name once the prompt was accepted; a refused one is in none.
      if (event.kind === "user_prompt" && introduction !== "" && !run.quiet) say(introduction);
    });
  } finally {
    release();
  }
}

/** Starts a prompt and prints the names of its turn; the exit code. */
async function runDetached({ client, json }: Run, prompt: ClientPrompt): Promise<number> {
  const { turn_id, session_id } = await client.detach(prompt);
  if (json) printJson({ turn_id, session_id });
  else {
    print(`${turn_id}\n`);
    say(`session ${session_id}; agentd run --follow ${turn_id} reads it`);
  }
  return 0;
}

/** Reads a turn that was started elsewhere; leaving it ends nothing. The exit code. */
async function followTurn(run: Run, turn_id: string): Promise<number> {
  const leave = new AbortController();
  const release = onInterrupt(() => leave.abort());
  try {
    return await readToEnd(run, run.client.follow(turn_id, leave.signal));
  } finally {
    release();
  }
}

/** Throws StartError for options that do not go together. */
function checkFollow(follow: string | undefined, others: readonly unknown[]): void {
  if (follow !== undefined && others.some((given) => given !== undefined && given !== false))
    throw usageError("--follow TURN reads a turn that is there: it takes no prompt, --session or --detach.");
}

/** Throws StartError for what says nothing about a turn that is only started. */
function checkDetached({ detach, fail, events }: { detach?: boolean; fail?: boolean; events?: string }): void {
  if (detach && (fail || events !== undefined))
    throw usageError(
      "--detach waits for no call and prints no event: give --fail and --events to agentd run --follow TURN.",
    );
}

export const runCommand = defineCommand({
  positionals: "[prompt..]",
  positional: {
    prompt: { type: "string", array: true, describe: "What to do, in plain words; what is piped in follows it" },
  },
  options: {
    session: { type: "string", describe: "Continue this conversation" },
    json: { type: "boolean", describe: "Print the event stream, one JSON object a line" },
    quiet: { type: "boolean", describe: "Print the answer and nothing else but what went wrong", alias: "q" },
    events: {
      choices: ["extended"],
      describe: "Print the extended events, too: session, confirmations, usage, reasoning, notices; with --json",
    },
    fail: { type: "boolean", describe: "Exit with 1 also when a call failed or is held" },
    yes: { type: "boolean", describe: "Say yes to every call that waits for one" },
    detach: { type: "boolean", describe: "Leave the turn to the daemon, and print its id" },
    follow: {
      type: "string",
      requiresArg: true,
      describe: "Read this turn from its beginning to its end, instead of a prompt",
    },
    ...SAFETY,
    ...MODEL_FLAGS,
    ...PARTS,
    ...TOKEN,
  },
  examples: [
    ['agentd run "list the open orders"', ""],
    ['agentd run "delete order 7" --confirm', "asks before it deletes"],
    ['agentd run "how many orders are open?" --quiet', "the answer only"],
    ['git log -5 | agentd run "file a ticket for each"', "prompt and standard input"],
    ['agentd run "list the open orders" -m claude/claude-opus-4-1', "by another configured model"],
    ['agentd run "import the new orders" --detach', "goes on in the daemon"],
  ],
  async run(args) {
    const { follow } = args;
    const extended = args.events !== undefined;
    const verbose = args.verbose === true;
    checkDetached(args as Parameters<typeof checkDetached>[0]);
    checkFollow(follow, [args.prompt?.[0], args.session, args.detach]);
    const session_id = checkSession(args.session);
    const message = follow === undefined ? await promptText([args.prompt ?? []].flat().join(" ")) : "";
    const client = await connectAgent(args, "run");
    try {
      const confirm = confirmWith(args.yes === true);
      const run: Run = {
        client,
        json: args.json === true || extended,
        extended,
        strictCalls: args.fail === true,
        verbose,
        quiet: args.quiet === true,
        confirm,
      };
      if (follow !== undefined) return await followTurn(run, follow);
      const requested = await client.requested();
      const { id, introduction } = await sessionOf(client.dataDir, args.session, session_id);
      const prompt = {
        message,
        session_id: id,
        interactive: confirm !== undefined,
        // Text has the notices, too; --json alone has the plain events.
        extended: extended || verbose || !run.json,
        ...requested,
      };
      if (args.detach) return await runDetached(run, prompt);
      return await runHere(run, prompt, introduction);
    } finally {
      await client.close();
    }
  },
});
