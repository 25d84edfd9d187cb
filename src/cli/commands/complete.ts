// `agentd __complete KIND`: what completion scripts ask while a person types. In no list of commands; says nothing when it fails.
import { defineCommand } from "../command.js";
import { NAME_KINDS } from "../completion/words.js";
import { print } from "../terminal/output.js";

export const completeCommand = defineCommand({
  positionals: "<kind>",
  positional: { kind: { type: "string", choices: NAME_KINDS, describe: "Which names" } },
  options: {},
  async run({ kind: given, dataDir }) {
    const kind = NAME_KINDS.find((one) => one === given);
    if (kind === undefined) return 1;
    try {
      const { namesOf } = await import("../completion/names.js");
      for (const name of await namesOf(kind, dataDir)) print(`${name}\n`);
      return 0;
    } catch {
      return 1;
    }
  },
});
