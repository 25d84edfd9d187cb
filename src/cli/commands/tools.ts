// `agentd tools`: what the application can do, all of it or what matches a query.
import { impliedByTransport } from "../../applications/kinds.js";
import { loadSettings } from "../../config/settings.js";
import type { Tool } from "../../domain/tool.js";
import { createRedactor } from "../../lib/redact/redact.js";
import { openSchemaFile, schemaLocation } from "../../tools/schema-file.js";
import { existingDataDir } from "../client/data-dir.js";
import { defineCommand } from "../command.js";
import { option } from "../options.js";
import { createCommandLog } from "../terminal/command-log.js";
import { print, printJson, say } from "../terminal/output.js";
import { formatTable, oneLine } from "../terminal/table.js";

/** Best matches shown for a query. */
const MAX_MATCHES = 20;
const MAX_REQUEST_CHARS = 50;
const MAX_DESCRIPTION_CHARS = 70;

function row({ name, safety, transport, description }: Tool): string[] {
  const request = [transport.method?.toUpperCase(), transport.path].filter(Boolean).join(" ");
  return [
    oneLine(name),
    safety,
    oneLine(request || transport.kind, MAX_REQUEST_CHARS),
    oneLine(description, MAX_DESCRIPTION_CHARS),
  ];
}

/** "create_pet (safety, parameters)"; nothing for a tool that is as its document has it. */
function changeOf(name: string, overridden: readonly string[] = []): string[] {
  return overridden.length > 0 ? [`${oneLine(name)} (${overridden.join(", ")})`] : [];
}

export const toolsCommand = defineCommand({
  positionals: "[query..]",
  positional: { query: { type: "string", array: true, describe: "Words that say what the tool should do" } },
  options: { json: { type: "boolean", describe: "Print them as GET /tools does" }, ...option("schema") },
  examples: [['agentd tools "cancel an order"', "the tools that fit, best first"]],
  async run(args) {
    const { dir, trust } = await existingDataDir(args);
    const settings = await loadSettings({ dataDir: dir, trust, flags: args, env: process.env, lenient: true });
    const log = createCommandLog(createRedactor(settings.secrets), args.verbose === true);
    const file = openSchemaFile(schemaLocation(settings), log, impliedByTransport);
    const { catalogue } = file.current();
    const query = [args.query ?? []].flat().join(" ").trim();
    const list = query === "" ? catalogue.tools : catalogue.search(query, MAX_MATCHES);
    if (args.json) printJson(catalogue.listed(list));
    else if (list.length > 0) {
      print(formatTable(["TOOL", "SAFETY", "REQUEST", "DESCRIPTION"], list.map(row)));
      const changed = list.flatMap(({ name }) => changeOf(name, catalogue.action(name)?.overridden));
      if (changed.length > 0) print(`Changed by overrides.json: ${changed.join("; ")}.`);
    } else say(query === "" ? "The schema document has no tools." : "No tool fits.");
    return 0;
  },
});
