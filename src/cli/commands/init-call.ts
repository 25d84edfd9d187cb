// The end of `agentd init`: which model provider was found, and a first call that only reads, made as any other and on record.
import type { Settings } from "../../config/settings.js";
import { LOCAL_CALLER } from "../../domain/caller.js";
import { messageOf } from "../../domain/error.js";
import type { Action, SchemaDocument } from "../../domain/schema-document.js";
import { type JsonValue, listOf, textsOf, toJson } from "../../lib/json.js";
import { createRedactor } from "../../lib/redact/redact.js";
import { openAgent, openProvider } from "../../open.js";
import { createCommandLog } from "../terminal/command-log.js";
import { print, say } from "../terminal/output.js";
import { printRows } from "../terminal/result-rows.js";
import { rowsIn } from "../terminal/whole-rows.js";

/** Of an answer, which may be long. */
const MAX_LINES = 20;

/** A tool that only reads, needs no argument and, where one can be had, no credential. */
export function firstCall({ actions }: SchemaDocument): Action | undefined {
  const reading = actions.filter(
    ({ safety, parameters }) => safety === "read_only" && textsOf(parameters["required"]).length === 0,
  );
  return reading.find(({ transport }) => listOf(transport["security"]).length === 0) ?? reading[0];
}

/** Which provider answers prompts and why, as a sentence. */
export async function providerFound(settings: Settings): Promise<string> {
  const redactor = createRedactor(settings.secrets);
  try {
    return (await openProvider(settings, { redactor, log: createCommandLog(redactor, false) })).why;
  } catch (error) {
    return messageOf(error);
  }
}

/** The rows of an answer as a table, or whatever else it is. */
function printAnswer(result: JsonValue): void {
  const found = rowsIn(result);
  const lines = found ? [] : toJson(result, 2).split("\n");
  if (found) printRows(found.rows.slice(0, MAX_LINES));
  else print(`${lines.slice(0, MAX_LINES).join("\n")}\n`);
  const more = (found ? found.rows.length : lines.length) - MAX_LINES;
  if (more > 0) say(`and ${more} more ${found ? "rows" : "lines"}; agentd history shows the call.`);
}

/** Makes a call in read-only mode and prints its answer. A failure is said, and ends nothing. */
export async function callFirst(settings: Settings, tool: string, signal: AbortSignal): Promise<void> {
  const redactor = createRedactor(settings.secrets);
  try {
    const { agent } = await openAgent(settings, createCommandLog(redactor, false), redactor);
    try {
      const request = { tool, arguments: {}, session_id: "", policy: { read_only: true }, client: "cli" };
      const events = agent.call({ ...request, caller: LOCAL_CALLER }, { signal, interactive: false });
      let next = await events.next();
      while (!next.done) next = await events.next();
      printAnswer(next.value.result);
    } finally {
      await agent.close();
    }
  } catch (error) {
    say(`The call was not made: ${messageOf(error)}`);
  }
}
