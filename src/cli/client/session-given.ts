// The conversation that a person names: by its id, or by the beginning of one that the program made up, as git takes commits.
// Any other name is a conversation of its own, which begins with its first prompt: nothing typed in full is ever another one.
// Source: docs/reference.md, "Sessions and turns"
import { usageError } from "../../domain/error.js";
import { didYouMean } from "../../lib/did-you-mean.js";
import { recentSessions } from "../../open.js";
import { oneLine } from "../terminal/table.js";

/** Shorter ones are as likely names of their own: a year is one. */
const BEGINNING = /^[0-9a-f]{6,8}(?:-[0-9a-f-]{0,26})?$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Those of which the nearest name is one, and those that a message lists. */
const MAX_NEAR = 200;
const MAX_LISTED = 5;
const MAX_TITLE_CHARS = 40;

/** A conversation as it was named. */
export interface SessionGiven {
  id: string;
  /** Its title; undefined for one that is not there yet, or where that cannot be told. */
  title?: string;
  isNew: boolean;
  /** For one that is not there, with a space before it; "" where no name is near. */
  didYouMean: string;
}

/**
 * The conversation that is meant; where it `isThere`, any beginning of any id will do, as nothing is begun under it. Throws
 * StartError where it may be one of several.
 */
export async function sessionGiven(dir: string, typed: string, { isThere = false } = {}): Promise<SessionGiven> {
  const found = await recentSessions(dir, MAX_NEAR, typed).catch(() => undefined);
  if (!found) return { id: typed, isNew: false, didYouMean: "" };
  const exact = found.find(({ id }) => id === typed);
  const beginning = isThere ? found : BEGINNING.test(typed) ? found.filter(({ id }) => UUID.test(id)) : [];
  const [only = exact, ...others] = exact ? [exact] : beginning;
  if (others.length > 0) {
    const listed = beginning
      .slice(0, MAX_LISTED)
      .map(({ id, title }) => `\n  ${id}  ${oneLine(title, MAX_TITLE_CHARS)}`);
    const more = beginning.length > MAX_LISTED ? `\n  and ${beginning.length - MAX_LISTED} more` : "";
    throw usageError(`several conversations begin with ${typed}; type more of it:${listed.join("")}${more}`);
  }
  if (only) return { ...only, title: oneLine(only.title, MAX_TITLE_CHARS), isNew: false, didYouMean: "" };
  const near = await recentSessions(dir, MAX_NEAR).catch(() => []);
  const names = near.map(({ id }) => id);
  return { id: typed, isNew: true, didYouMean: didYouMean(typed, names) };
}

/** What is said of it: what it is about, or that there was none. */
export function sessionLine({ id, title, isNew, didYouMean: hint }: SessionGiven): string {
  if (isNew) return `session ${id}, a new one.${hint}`;
  return title === undefined ? `session ${id}` : `session ${id}: ${title}`;
}
