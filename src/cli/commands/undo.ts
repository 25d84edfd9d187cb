// `agentd undo`: takes recorded changes back, newest first, each by a call of its own that is shown and asked about before it is made.
// Source: docs/reference.md, "Undo".
import type { UndoAnswer } from "../../domain/agent.js";
import { StartError, usageError } from "../../domain/error.js";
import type { Policy } from "../../domain/policy.js";
import { isUndoable } from "../../domain/undo-state.js";
import { type JsonValue, objectOf, textsOf, toJson } from "../../lib/json.js";
import type { UndoClient } from "../client/client.js";
import { connectUndo } from "../client/connect.js";
import { sessionGiven } from "../client/session-given.js";
import { defineCommand } from "../command.js";
import { TOKEN } from "../options.js";
import { askOnce, hasPerson } from "../terminal/ask.js";
import { type Ask, describeCall, isYes } from "../terminal/confirm.js";
import { onInterrupt } from "../terminal/interrupt.js";
import { jsonText, print, printJson, say } from "../terminal/output.js";

/** Rows that are looked through for changes to undo. */
const PAGE = 1_000;
const MAX_LOOKED_AT = 10_000;

const usage = (message: string): StartError => usageError(`${message} See agentd undo --help.`);

/** What the arguments choose. */
interface Choice {
  id?: string | undefined;
  session?: string | undefined;
  turn?: string | undefined;
}

/** The rows to undo, newest first. Throws StartError when there is none. */
export async function chosenRows(
  client: Pick<UndoClient, "history">,
  { id, session, turn }: Choice,
): Promise<number[]> {
  if (id !== undefined && id !== "") {
    if (!/^[1-9]\d{0,14}$/.test(id)) throw usage(`"${id}" is no id of a call: agentd history lists them.`);
    return [Number(id)];
  }
  const found: number[] = [];
  let before: number | undefined;
  for (let seen = 0; seen < MAX_LOOKED_AT; seen += PAGE) {
    const rows = await client.history({
      limit: PAGE,
      ...(before !== undefined && { before }),
      ...(session !== undefined && { session_id: session }),
    });
    found.push(
      ...rows
        .filter((row) => isUndoable(row.undo) && (turn === undefined || row.turn_id === turn))
        .map((row) => row.id),
    );
    if (session === undefined && turn === undefined && found.length > 0) return found.slice(0, 1);
    before = rows.at(-1)?.id;
    if (rows.length < PAGE) break;
  }
  if (found.length === 0)
    throw new StartError("there is no change that can be undone; agentd history says why of each.");
  return found;
}

/** What stands in the way of an undo, for a person. */
function reasonOf(id: number, { status, result }: UndoAnswer): string {
  return `call ${id}: nothing was undone (${status}): ${jsonText(result)}`;
}

/** What was undone, and what of it was not. */
function doneText(id: number, result: JsonValue): string {
  const left = textsOf(objectOf(result)["left"]);
  return left.length > 0 ? `undone in part: call ${id}; not set back: ${left.join(", ")}\n` : `undone: call ${id}\n`;
}

interface Asking {
  client: Pick<UndoClient, "undo" | "decide">;
  yes: boolean;
  asJson: boolean;
  signal: AbortSignal;
  ask?: Ask;
  /** Modes that are on beside those of the daemon. */
  modes?: Partial<Policy>;
}

/** Undoes one call; whether it was undone. */
export async function undoOne(
  id: number,
  { client, yes, asJson, signal, ask = askOnce, modes }: Asking,
): Promise<boolean> {
  const answer = await client.undo(id, modes);
  const { confirmation } = answer;
  if (!confirmation) {
    if (asJson) printJson(answer);
    else say(reasonOf(id, answer));
    return answer.status === "ok" || answer.status === "dry_run";
  }
  if (!asJson || !yes) {
    const { written, own } = describeCall(confirmation);
    for (const row of [`agentd undo ${id} would do this:`, ...written, ...own]) say(row);
  }
  const isWanted = yes || isYes(await ask("Undo it? [y/N] ", signal).catch(() => ""));
  const decided = await client.decide(confirmation.id, { decision: isWanted ? "approve" : "deny" });
  const { outcome } = decided;
  if (asJson) printJson(decided);
  else if (!isWanted) say("nothing was undone");
  else if (outcome?.status === "ok") print(doneText(id, outcome.result));
  else say(`call ${id}: nothing was undone: ${toJson(outcome?.result)}`);
  return outcome?.status === "ok";
}

export const undoCommand = defineCommand({
  positionals: "[id]",
  positional: {
    id: { type: "string", describe: "Which call, by its id in agentd history; else the newest that can be undone" },
  },
  options: {
    session: { type: "string", describe: "All that can be undone of this conversation, newest first" },
    turn: { type: "string", describe: "All that can be undone of this turn, newest first" },
    yes: { type: "boolean", describe: "Undo without asking" },
    json: { type: "boolean", describe: "Print what the daemon answers, one JSON object a call" },
    ...TOKEN,
  },
  examples: [
    ["agentd undo", "shows what would change, and asks"],
    ["agentd undo 17 --yes", ""],
  ],
  async run(args) {
    const { session: typed, turn, yes = false } = args;
    const id = args.id === undefined ? undefined : String(args.id);
    if ([id || undefined, typed, turn].filter((one) => one !== undefined).length > 1)
      throw usage("agentd undo takes one of an id, --session and --turn.");
    if (!yes && !hasPerson()) throw usage("there is no terminal to ask at. Give --yes to undo without being asked.");
    const client = await connectUndo(args);
    const stop = new AbortController();
    const release = onInterrupt(() => stop.abort());
    try {
      const session =
        typed === undefined ? undefined : (await sessionGiven(client.dataDir, typed, { isThere: true })).id;
      // Each stands on what the one before it left: the first that cannot be undone ends it.
      for (const row of await chosenRows(client, { id, session, turn }))
        if (!(await undoOne(row, { client, yes, asJson: args.json === true, signal: stop.signal }))) return 1;
      return 0;
    } finally {
      release();
      await client.close();
    }
  },
});
