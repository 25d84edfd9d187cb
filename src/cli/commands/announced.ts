// Commands that are announced but not there yet: they say so and do nothing.
import { StartError } from "../../domain/error.js";
import { type Command, defineCommand } from "../command.js";

/** A command that refuses with exit code 2. */
export function later(name: string): Command {
  return defineCommand({
    options: {},
    run: async () => {
      throw new StartError(`${name} comes with a later version.`, { exitCode: 2 });
    },
  });
}
