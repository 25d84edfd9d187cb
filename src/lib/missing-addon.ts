// SQLite's addon that cannot be loaded: not built, built for another Node or another machine, or not installed.

/** The addon is missing. `message` says why and what to do. */
export class MissingAddon extends Error {
  constructor(reason: string, { cause }: { cause: unknown }) {
    super(
      `SQLite's addon cannot be loaded: ${reason}. Install agentd again with this Node (${process.versions.node}), or run "npm rebuild" in its folder.`,
      { cause },
    );
    this.name = "MissingAddon";
  }
}

const textOf = (error: Error): string => `${"code" in error ? error.code : ""} ${error.message}`;

/** The failure of a driver as the addon's, undefined when it is about anything else. */
export function missingAddon(error: unknown): MissingAddon | undefined {
  if (!(error instanceof Error)) return undefined;
  const text = textOf(error);
  if (/NODE_MODULE_VERSION/.test(text))
    return new MissingAddon("it was built for another version of Node", { cause: error });
  if (/ERR_DLOPEN_FAILED/.test(text))
    return new MissingAddon("it was built for another machine or is damaged", { cause: error });
  if (
    /could not locate the bindings file|no native build was found|^MODULE_NOT_FOUND|^ERR_MODULE_NOT_FOUND/i.test(text)
  )
    return new MissingAddon("it was not built or not installed", { cause: error });
  return undefined;
}

/** The missing addon behind an error. */
export function missingAddonIn(error: unknown): MissingAddon | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++)
    if (at instanceof MissingAddon) return at;
  return undefined;
}
