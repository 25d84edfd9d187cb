// The keys of overrides.json: a tool's name or one it had, its id, its method and path, or a pattern of a name or of the latter. Overrides and an action come in, what is
// said of that action goes out; knows nothing of what an override may hold.
// Source: docs/configuration.md, "The data directory".
import type { Action } from "../domain/schema-document.js";

/** "POST /orders/{id}/ship"; undefined for an action that is not reached by a method and a path. */
export function requestLineOf({ transport: { method, path } }: Action): string | undefined {
  return typeof method === "string" && typeof path === "string" ? `${method.toUpperCase()} ${path}` : undefined;
}

/** Whether a key stands for any number of tools. */
export function isPattern(key: string): boolean {
  return key.includes("*");
}

/** Whether a text fits a pattern, whose `*` stands for any characters or none. Linear, whatever the pattern. */
function fits(text: string, pattern: string): boolean {
  const parts = pattern.split("*");
  const first = parts.shift() ?? "";
  const last = parts.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** A key as it is compared: methods are written in upper case. */
function normalised(key: string): string {
  return key.replace(/^\S+(?= )/, (method) => method.toUpperCase());
}

/** Whether an action fits a pattern of names, or of methods and paths, which have a space. */
export function isFitting(pattern: string, action: Action): boolean {
  const known = normalised(pattern);
  const names = known.includes(" ") ? [requestLineOf(action) ?? ""] : [action.name, ...(action.aliases ?? [])];
  return names.some((name) => fits(name, known));
}

/** The keys that stand for none of the actions. */
export function unusedKeys(keys: readonly string[], actions: readonly Action[]): string[] {
  const known = new Set(
    actions.flatMap((action) => [action.name, ...(action.aliases ?? []), requestLineOf(action) ?? action.name]),
  );
  return keys.filter((key) =>
    isPattern(key) ? !actions.some((action) => isFitting(key, action)) : !known.has(normalised(key)),
  );
}

/**
 * Overrides whose keys may have what the tools of their application begin with in lists: such a key becomes the one without
 * `prefix`, as far as it stands for no action and that one does.
 */
export function withoutPrefix<T>(
  overrides: Readonly<Record<string, T>>,
  prefix: string,
  actions: readonly Action[],
): Record<string, T> {
  const plain = (key: string): string => key.slice(prefix.length);
  const keys = prefix === "" ? [] : Object.keys(overrides).filter((key) => key.startsWith(prefix));
  const long = unusedKeys(keys, actions).filter((key) => !Object.hasOwn(overrides, plain(key)));
  const unused = new Set(unusedKeys(long.map(plain), actions));
  const replaced = new Set(long.filter((key) => !unused.has(plain(key))));
  return Object.fromEntries(
    Object.entries(overrides).map(([key, said]) => [replaced.has(key) ? plain(key) : key, said]),
  );
}

/**
 * What the overrides say of an action, from several keys together: where two say different things, its name wins over names it had,
 * those over its method and path, those over patterns, and a longer pattern over a shorter one; for each argument by itself.
 */
export function createOverrideLookup<T extends { parameters?: object | undefined }>(
  overrides: Readonly<Record<string, T>>,
): (action: Action) => Partial<T> {
  const keys = Object.entries(overrides);
  const precision = (pattern: string): number => pattern.replaceAll("*", "").length;
  const patterns = keys.filter(([key]) => isPattern(key)).sort(([a], [b]) => precision(a) - precision(b));
  const others = new Map(keys.flatMap(([key, said]) => (isPattern(key) ? [] : [[normalised(key), said] as const])));
  return (action) => {
    const general = patterns.flatMap(([key, said]) => (isFitting(key, action) ? [said] : []));
    const former = (action.aliases ?? []).map((alias) => others.get(alias));
    const all = [...general, others.get(requestLineOf(action) ?? ""), ...former, others.get(action.name)];
    const parameters = Object.assign({}, ...all.map((said) => said?.parameters));
    return Object.assign({}, ...all, Object.keys(parameters).length > 0 && { parameters });
  };
}
