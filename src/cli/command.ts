// What a command of the command line is: its options as a table that yargs reads, and what it does.
import type { ArgumentsCamelCase, InferredOptionTypes, Options, PositionalOptions } from "yargs";
import type { Flags } from "../config/settings.js";

/** A table of options by their kebab-case names. */
export type OptionTable = Readonly<Record<string, Options>>;

/** What a command may be given besides its own options: flags of settings, as far as it takes them. */
export interface SharedArgs extends Flags {
  verbose?: boolean | undefined;
}

/** One command. `run` returns the exit code and throws StartError for everything a person can put right. */
export interface Command {
  /** Positional part of the usage line, such as `<prompt..>`. */
  positionals: string;
  positional: Readonly<Record<string, PositionalOptions>>;
  options: OptionTable;
  /** Shown under the options by --help. */
  examples: readonly (readonly [command: string, what: string])[];
  run(args: ArgumentsCamelCase): Promise<number>;
}

/** A command in the list of all: loaded only when it is used. */
export interface CommandEntry {
  summary: string;
  load(): Promise<Command>;
}

type Args<O extends OptionTable, P extends string> = ArgumentsCamelCase<InferredOptionTypes<O>> &
  SharedArgs & { [word in P]?: string | string[] };

/** Makes a command whose `run` knows the types of its options. */
export function defineCommand<const O extends OptionTable, P extends string = never>(command: {
  positionals?: string;
  positional?: Record<P, PositionalOptions>;
  options: O;
  examples?: readonly (readonly [command: string, what: string])[];
  run(args: Args<O, P>): Promise<number>;
}): Command {
  const { positionals = "", positional = {} as Record<P, PositionalOptions>, options, examples = [], run } = command;
  return {
    positionals,
    positional,
    options,
    examples,
    // The table and the type come from the same `options`, so yargs has put exactly these into `args`.
    run: (args) => run(args as unknown as Args<O, P>),
  };
}
