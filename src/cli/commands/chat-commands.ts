// What can be typed in a chat beside prompts: commands that begin with a slash, each a row of one table, and what completes them.
// Source: docs/reference.md, "Chat".
import { randomUUID } from "node:crypto";
import { chooseModel, type ModelRequest, parseModelName } from "../../domain/model-choice.js";
import type { Policy } from "../../domain/policy.js";
import type { TranscriptTurn } from "../../domain/record.js";
import { SESSION_ID, SESSION_ID_RULE } from "../../domain/session-id.js";
import { didYouMean } from "../../lib/did-you-mean.js";
import type { AgentClient } from "../client/client.js";
import { type SessionGiven, sessionGiven, sessionLine } from "../client/session-given.js";
import type { Ask } from "../terminal/confirm.js";
import { COLUMN_GAP } from "../terminal/fit-columns.js";
import { historyList } from "../terminal/history-rows.js";
import type { Completion } from "../terminal/line/editor.js";
import { lookOf } from "../terminal/look.js";
import { choiceText, modelLines } from "../terminal/models.js";
import { say, sayPainted } from "../terminal/output.js";
import { lastLines, sessionList } from "../terminal/session-rows.js";
import { paint } from "../terminal/spans.js";
import { fittedTable, oneLine } from "../terminal/table.js";
import { fieldLines } from "../terminal/whole-rows.js";

/** A chat as its commands see and change it. */
export interface Chat {
  client: AgentClient;
  session_id: string;
  ask: Ask;
  /** What was asked for here; the session goes on with what it had where that is nothing. */
  choice: ModelRequest;
  /** Modes that were turned on here. */
  modes: Partial<Policy>;
  /** Modes that the chat was started with; they stay on. */
  given: Partial<Policy>;
}

interface ChatCommand {
  usage: string;
  what: string;
  /** The signal takes back what it asks. */
  run(chat: Chat, words: readonly string[], signal: AbortSignal): Promise<void>;
  /** What may stand behind the command. */
  words?(chat: Chat, before: readonly string[]): Promise<readonly string[] | ReadonlyMap<string, string>>;
}

const MODES = ["read_only", "dry_run", "strict", "confirm"] as const;
const MAX_TOOLS = 30;
const USUAL_ROWS = 10;
const MAX_ROWS = 200;
const MAX_SESSIONS = 20;
/** Beside an id that completes. */
const MAX_TITLE_CHARS = 60;
/** A word that is more likely the beginning of an id than a name. */
const LIKE_AN_ID = /^(?=.*\d)[0-9a-f]{3,}[0-9a-f-]*$/i;

/** Columns of the usages, and what stands between them and what they do. */
const usageWidth = (all: readonly (readonly [usage: string, what: string])[]): number =>
  Math.max(...all.map(([usage]) => usage.length)) + COLUMN_GAP;

const sayTable = (headings: readonly string[], rows: readonly (readonly string[])[]): void =>
  sayPainted(fittedTable(headings, rows, process.stderr).trimEnd());

async function listTools({ client }: Chat, words: readonly string[]): Promise<void> {
  const all = await (await client.aside()).tools();
  const wanted = words.map((word) => word.toLowerCase());
  const found = all.filter(({ name, description }) => {
    const text = `${name} ${description}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  if (found.length === 0) return say(all.length === 0 ? "There are no tools." : "No tool fits.");
  sayTable(
    ["TOOL", "SAFETY", "DESCRIPTION"],
    found.slice(0, MAX_TOOLS).map(({ name, safety, description }) => [oneLine(name), safety, oneLine(description)]),
  );
  if (found.length > MAX_TOOLS) say(`and ${found.length - MAX_TOOLS} more: /tools WORDS finds some of them`);
}

async function listCalls({ client, session_id }: Chat, [count]: readonly string[]): Promise<void> {
  const limit = /^\d+$/.test(count ?? "") ? Math.min(MAX_ROWS, Math.max(1, Number(count))) : USUAL_ROWS;
  const rows = await (await client.aside()).history({ limit, session_id });
  if (rows.length === 0) return say("No call is recorded in this conversation.");
  sayPainted(historyList(rows, false, process.stderr).trimEnd());
}

async function changeSession(chat: Chat, [word, name]: readonly string[]): Promise<void> {
  if (word === undefined) return say(`session ${chat.session_id}`);
  if (word === "list") {
    const list = await (await chat.client.aside()).sessions(MAX_SESSIONS + 1);
    if (list.length === 0) return say("There are no conversations yet.");
    sayPainted(sessionList(list.slice(0, MAX_SESSIONS), { output: process.stderr, isBrief: true }).trimEnd());
    if (list.length > MAX_SESSIONS) say("and more: agentd sessions lists them, with --search those that have a text");
    return;
  }
  const id = word === "new" ? (name ?? randomUUID()) : word;
  if (!SESSION_ID.test(id)) return say(`/session: ${SESSION_ID_RULE}.`);
  if (word !== "new") return goTo(chat, word);
  chat.session_id = id;
  say(`session ${id}`);
}

/** Goes to a conversation that is there, or begins one under a name that looks like none of the ids that are made up. */
async function goTo(chat: Chat, typed: string): Promise<void> {
  const there = await sessionGiven(chat.client.dataDir, typed, { isThere: true });
  if (there.isNew && LIKE_AN_ID.test(typed))
    return say(
      `no conversation begins with ${typed}.${there.didYouMean} /session list lists them; /session new ${typed} begins one of that name.`,
    );
  await enter(chat, there);
}

/** Goes on in a conversation as it was named, and says which that is. Throws StartError. */
export async function enterSession(chat: Chat, typed: string): Promise<void> {
  await enter(chat, await sessionGiven(chat.client.dataDir, typed));
}

async function enter(chat: Chat, given: SessionGiven): Promise<void> {
  chat.session_id = given.id;
  say(sessionLine(given));
  if (given.isNew) return;
  for (const line of lastLines(await turnsOf(chat, given.id))) say(line);
}

/** The turns of a conversation on record; none where it cannot be read, which keeps nobody from going on. */
async function turnsOf({ client }: Chat, session_id: string): Promise<readonly TranscriptTurn[]> {
  const { openLocalRecord } = await import("../client/local-record.js");
  try {
    const record = await openLocalRecord(client.dataDir);
    const found = await record.conversation(session_id).finally(() => record.close());
    return found?.turns ?? [];
  } catch {
    return [];
  }
}

async function changeModel(chat: Chat, [name]: readonly string[]): Promise<void> {
  const offers = await chat.client.providers();
  if (name === undefined) return say(modelLines(offers, chat.choice).join("\n"));
  const choice = chooseModel(offers, parseModelName(name, offers)) ?? {};
  chat.choice = choice;
  say(`from now on ${choiceText(choice)}`);
}

async function changeMode({ modes, given: started }: Chat, words: readonly string[]): Promise<void> {
  const [given, state = "on", ...others] = words;
  const name = MODES.find((one) => one === given?.replace("-", "_"));
  if (given !== undefined && !name)
    return say(`there is no mode ${oneLine(given)}.${didYouMean(given, [...MODES])} Modes: ${MODES.join(", ")}`);
  if (others.length > 0 || (state !== "on" && state !== "off"))
    return say(`it is /mode ${oneLine(given ?? "NAME")} on, or off`);
  if (name && state === "off" && started[name]) return say(`${name} stays on: this chat was started with it`);
  if (name && state === "off") delete modes[name];
  else if (name) modes[name] = true;
  const on = MODES.filter((one) => modes[one] || started[one]);
  say(`on in this chat: ${on.join(", ") || "no mode"}; what the daemon has on stays on`);
}

async function undoLast(
  { client, session_id, ask, modes }: Chat,
  _words: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { chosenRows, undoOne } = await import("./undo.js");
  const aside = await client.aside();
  const [newest] = await chosenRows(aside, { session: session_id });
  if (newest !== undefined) await undoOne(newest, { client: aside, yes: false, asJson: false, signal, ask, modes });
}

/** The commands, in the order /help lists them. */
const COMMANDS_OF_CHAT: Readonly<Record<string, ChatCommand>> = {
  tools: { usage: "/tools [WORDS]", what: "the tools, or those that fit", run: listTools },
  history: { usage: "/history [N]", what: "the last calls of this conversation", run: listCalls },
  session: {
    usage: "/session [ID | new [NAME] | list]",
    what: "says, changes or lists conversations",
    run: changeSession,
    words: async ({ client }, before) =>
      before.length > 0
        ? []
        : new Map([
            ["new", ""],
            ["list", ""],
            ...(await (await client.aside()).sessions(MAX_SESSIONS)).map(({ session_id, title }): [string, string] => [
              session_id,
              oneLine(title, MAX_TITLE_CHARS),
            ]),
          ]),
  },
  model: {
    usage: "/model [NAME]",
    what: "lists the models, or takes one",
    run: changeModel,
    words: async ({ client }) =>
      (await client.providers()).flatMap(({ name, models }) => models.map((model) => `${name}/${model}`)),
  },
  mode: {
    usage: "/mode [NAME [on | off]]",
    what: "turns a safety mode on for this chat",
    run: changeMode,
    words: async (_chat, before) => (before.length === 0 ? MODES : ["on", "off"]),
  },
  undo: { usage: "/undo", what: "takes the last change back, after a yes", run: undoLast },
  help: {
    usage: "/help",
    what: "this list",
    run: async () => {
      const all = Object.values(COMMANDS_OF_CHAT).map(({ usage, what }) => [usage, what] as const);
      const { width, styled } = lookOf(process.stderr);
      const lines = fieldLines([...all, ["/quit", "leaves, as Ctrl-D does"]], width, usageWidth(all));
      for (const line of lines) sayPainted(paint(line, styled).trimEnd());
      say(
        "Ctrl-C empties the line, stops a turn, or leaves. Alt-Enter, or \\ at the end, begins another line; Tab completes; Up and Ctrl-R fetch earlier prompts.",
      );
      say("A space before the slash makes it a prompt.");
    },
  },
};

/** Whether a line is a command; one that leaves the chat is not among those that run. */
export const isCommand = (line: string): boolean => /^\/[a-z]/i.test(line);
/** Whether a line leaves the chat. */
export const isLeaving = (line: string): boolean => /^\/(exit|quit)(\s|$)/.test(line.trim());

/** Runs a command; an abort takes back what it asks. Throws StartError or AppError. */
export async function runChatCommand(chat: Chat, line: string, signal: AbortSignal): Promise<void> {
  const [name = "", ...words] = line.trim().slice(1).split(/\s+/);
  const command = Object.hasOwn(COMMANDS_OF_CHAT, name) ? COMMANDS_OF_CHAT[name] : undefined;
  if (command) return command.run(chat, words, signal);
  const names = [...Object.keys(COMMANDS_OF_CHAT), "quit"].map((one) => `/${one}`);
  say(`agentd: there is no command /${oneLine(name)}.${didYouMean(`/${name}`, names)} /help lists them.`);
}

/** What could stand in place of the word before the cursor: commands and their words, else names of tools. */
export async function completeLine(
  chat: Chat,
  { text, at }: { text: string; at: number },
): Promise<Completion | undefined> {
  const before = text.slice(0, at);
  const word = /\S*$/.exec(before)?.[0] ?? "";
  const from = at - word.length;
  const fitting = (known: readonly string[] | ReadonlyMap<string, string>): Completion => {
    const notes = "get" in known ? known : undefined;
    const words = [...(notes ? notes.keys() : (known as readonly string[]))].filter((one) => one.startsWith(word));
    return {
      from,
      words: words.map((one) => oneLine(one)),
      ...(notes && { notes: words.map((one) => notes.get(one) ?? "") }),
    };
  };
  if (isCommand(before) || before === "/") {
    const [name = "", ...words] = before.slice(1).split(/\s+/);
    if (words.length === 0) return fitting([...Object.keys(COMMANDS_OF_CHAT), "quit"].map((one) => `/${one}`));
    const command = Object.hasOwn(COMMANDS_OF_CHAT, name) ? COMMANDS_OF_CHAT[name] : undefined;
    return command?.words ? fitting(await command.words(chat, words.slice(0, -1))) : undefined;
  }
  if (word === "") return undefined;
  return fitting((await (await chat.client.aside()).tools()).map(({ name }) => name));
}
