// JSON of somebody else, such as the answer of an application. One object is bounded wherever JSON is read; here the whole text is,
// because many objects of many names cost as much as one: engines keep a table of all names, and a form for each kind of object.
import { type JsonValue, MAX_JSON_MEMBERS, parseJson } from "./json.js";

/** Different names in one text. Rows by the hundred thousand have the same few. */
const MAX_NAMES = MAX_JSON_MEMBERS;
/** An object of more members is a table to the engine; those beyond are counted together for the whole text. */
const WIDE = 1_000;
/** A member takes four characters at least: a shorter text cannot have too many. */
const SHORTEST = 4 * MAX_NAMES;

/** Names are told apart by numbers of so many bits: one in a hundred of the most that are allowed shares its own. */
const BITS = 22;
/** Odd, and not to be guessed, so that no names are made to share their numbers. */
const FACTOR = (crypto.getRandomValues(new Uint32Array(1))[0] ?? 1) | 1;

function numberOf(text: string, start: number, end: number): number {
  let hash = FACTOR;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FACTOR) ^ (hash >>> 15);
  return Math.imul(hash, FACTOR) >>> (32 - BITS);
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;

/** The index behind the string begun at `start`. */
function behindString(text: string, start: number): number {
  let end = start + 1;
  for (let code = text.charCodeAt(end); code !== QUOTE && end < text.length; code = text.charCodeAt(++end))
    if (code === 92) end++;
  return end + 1;
}

/** Throws SyntaxError when a text has too many names, or too many members in large objects. Its depth is not looked at. */
function checkJsonNames(text: string): void {
  if (text.length < SHORTEST) return;
  const seen = new Uint32Array(2 ** (BITS - 5));
  let names = 0;
  let wide = 0;
  /** Members of the objects that are open, the innermost last; of a list nothing is counted. */
  const members: number[] = [];
  let [start, end] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      [start, end] = [i, behindString(text, i)];
      i = end - 1;
    } else if (code === COLON) {
      const number = numberOf(text, start, end);
      const bit = 1 << (number & 31);
      if (((seen[number >>> 5] ?? 0) & bit) !== 0) continue;
      seen[number >>> 5] = (seen[number >>> 5] ?? 0) | bit;
      if (++names > MAX_NAMES) throw new SyntaxError(`more than ${MAX_NAMES} different names`);
    } else if (code === 91 || code === 123) members.push(code === 123 ? 1 : Number.NEGATIVE_INFINITY);
    else if (code === 93 || code === 125) members.pop();
    else if (code === COMMA) {
      const count = (members.pop() ?? 0) + 1;
      members.push(count);
      if (count > WIDE && ++wide > MAX_JSON_MEMBERS)
        throw new SyntaxError(`objects of together more than ${MAX_JSON_MEMBERS} members`);
    }
  }
}

/** The same as `parseJson` for a text of somebody else; throws SyntaxError too where it has more names than are read. */
export function parseOutsideJson(text: string): JsonValue {
  checkJsonNames(text);
  return parseJson(text);
}
