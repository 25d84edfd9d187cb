// The end of `agentd init`: which model provider was found, and a first call that only reads, made as any other and on record.
import type { Settings } from "../../config/settings.js";
import { LOCAL_CALLER } from "../../domain/caller.js";
import { messageOf } from "../../domain/error.js";
import type { Action, SchemaDocument } from "../../domain/schema-document.js";
import { listOf, textsOf, toJson } from "../../lib/json.js";
import { createRedactor } from "../../lib/redact/redact.js";
import { openAgent, openProvider } from "../../open.js";
import { createCommandLog } from "../terminal/command-log.js";
import { print, say } from "../terminal/output.js";

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
      const lines = toJson(next.value.result, 2).split("\n");
      print(`${lines.slice(0, MAX_LINES).join("\n")}\n`);
      if (lines.length > MAX_LINES) say(`… and ${lines.length - MAX_LINES} more lines; agentd history shows the call.`);
    } finally {
      await agent.close();
    }
  } catch (error) {
    say(`The call was not made: ${messageOf(error)}`);
  }
}
