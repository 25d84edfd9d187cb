// Names of applications: what one may be, and what to say of one that is not. "" stands for the application without a name.

/** How the application without a name is displayed and given, where "" cannot be. */
export const UNNAMED = "-";

/** The longest name. */
const MAX_CHARS = 32;

/** What a name looks like. Source: docs/reference.md, "Several applications". */
export const APPLICATION_NAME = new RegExp(`^[a-z][a-z0-9-]{0,${MAX_CHARS - 1}}$`);

/** A name near to a wrong one; undefined when nothing of it can be used. */
function proposal(name: string): string | undefined {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, MAX_CHARS)
    .replace(/-+$/, "");
  return APPLICATION_NAME.test(plain) ? plain : undefined;
}

/** Why a text is no name of an application, and which one would be: a sentence. Undefined for a name. */
export function applicationNameFault(name: string): string | undefined {
  if (APPLICATION_NAME.test(name)) return undefined;
  const near = proposal(name);
  return `"${name}" is no name for an application: it takes a letter, then letters, digits and dashes, all small, ${MAX_CHARS} at most.${near === undefined ? "" : ` Try ${near}.`}`;
}

/** The key of config.json that holds the settings of an application. */
export function settingsKey(name: string): string {
  return name === "" ? "target" : `applications.${name}`;
}
