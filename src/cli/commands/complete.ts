// `agentd __complete KIND`: what completion scripts ask while a person types, a name a line, behind a tab what it is. In no list of commands; says nothing when it fails.
import { defineCommand } from "../command.js";
import { NAME_KINDS } from "../completion/words.js";
import { print } from "../terminal/output.js";
import { oneLine } from "../terminal/table.js";

/** Characters beside a name. */
const MAX_DESCRIPTION = 60;

export const completeCommand = defineCommand({
  positionals: "<kind>",
  positional: { kind: { type: "string", choices: NAME_KINDS, describe: "Which names" } },
  options: {},
  async run({ kind: given, dataDir }) {
    const kind = NAME_KINDS.find((one) => one === given);
    if (kind === undefined) return 1;
    try {
      const { namesOf } = await import("../completion/names.js");
      for (const { name, description } of await namesOf(kind, dataDir))
        print(description === "" ? `${name}\n` : `${name}\t${oneLine(description, MAX_DESCRIPTION)}\n`);
      return 0;
    } catch {
      return 1;
    }
  },
});
