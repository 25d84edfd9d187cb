// `agentd run`: one prompt, one turn. Text to stdout, progress to stderr, or the event stream as NDJSON.
import { randomUUID } from "node:crypto";
import { text as readAll } from "node:stream/consumers";
import { StartError, Stopped } from "../../domain/error.js";
import { isBasic, type TurnEvent } from "../../domain/event.js";
import { SESSION_ID, SESSION_ID_RULE } from "../../domain/session-id.js";
import { connectAgent } from "../client/connect.js";
import { type Confirm, runPrompt } from "../client/run-prompt.js";
import { defineCommand } from "../command.js";
import { PARTS, SAFETY, TOKEN } from "../options.js";
import { askOnce, hasPerson } from "../terminal/ask.js";
import { askToConfirm } from "../terminal/confirm.js";
import { onInterrupt } from "../terminal/interrupt.js";
import { print, printJson, say } from "../terminal/output.js";
import { createRenderer } from "../terminal/render.js";

/** The session id to use: the one given, or a new one. Throws StartError for one that breaks the rule. */
export function checkSession(id: string | undefined): string {
  if (id === undefined) return randomUUID();
  if (SESSION_ID.test(id)) return id;
  throw new StartError(`--session: ${SESSION_ID_RULE}.`, { exitCode: 2 });
}

/** What decides held calls: `--yes`, the person at the terminal, or nothing. */
export function confirmWith(yes: boolean, ask = askOnce): Confirm | undefined {
  if (yes) return async () => "approve";
  return hasPerson() ? (held, signal) => askToConfirm(held, ask, signal) : undefined;
}

/** Shows events on this process's stdout and stderr. */
export function terminalRenderer(): (event: TurnEvent) => void {
  return createRenderer({ out: print, note: say, tables: process.stdout.isTTY === true });
}

async function promptText(words: string | readonly string[] | undefined): Promise<string> {
  const given = [words ?? []].flat().join(" ");
  const message = given === "-" ? await readAll(process.stdin) : given;
  if (message.trim() !== "") return message;
  throw new StartError('what shall it do? agentd run "<prompt>", or agentd run - to read it from stdin.', {
    exitCode: 2,
  });
}

export const runCommand = defineCommand({
  positionals: "<prompt..>",
  positional: {
    prompt: { type: "string", array: true, describe: "What to do, in plain words; - reads it from stdin" },
  },
  options: {
    session: { type: "string", describe: "Continue this conversation" },
    json: { type: "boolean", describe: "Print the event stream, one JSON object a line" },
    yes: { type: "boolean", describe: "Say yes to every call that waits for one" },
    ...SAFETY,
    ...PARTS,
    ...TOKEN,
  },
  examples: [
    ['agentd run "list the open orders"', ""],
    ['agentd run "delete order 7" --confirm', "asks before it deletes"],
  ],
  async run(args) {
    const session_id = checkSession(args.session);
    const message = await promptText(args.prompt);
    const client = await connectAgent(args);
    const stop = new AbortController();
    const release = onInterrupt(() => stop.abort(new Stopped("cancelled")));
    const asJson = (event: TurnEvent): void => {
      if (isBasic(event)) printJson(event);
    };
    try {
      const renderEvent = args.json ? asJson : terminalRenderer();
      const render = (event: TurnEvent): void => {
        // A session has its name once the prompt was accepted; a refused one is in none.
        if (event.kind === "user_prompt" && args.session === undefined) say(`session ${session_id}`);
        renderEvent(event);
      };
      const confirm = confirmWith(args.yes === true);
      const ok = await runPrompt(client, { message, session_id }, { signal: stop.signal, render, confirm });
      return ok ? 0 : 1;
    } finally {
      release();
      await client.close();
    }
  },
});
