// Arrays in PostgreSQL's text form, `{1,NULL,"a,b"}`, to nested lists of element texts and back. Knows no element type.
// Source: the PostgreSQL manual, "Array Input and Output Syntax".

/** An array by the texts of its elements; null is NULL. */
export type ArrayTexts = readonly (string | null | ArrayTexts)[];

/** Nothing nests deeper in PostgreSQL. */
const MAX_DIMENSIONS = 6;

/** A quoted element that begins at the quote `start`: its text, and where it ends. */
function quotedElement(text: string, start: number): { element: string; end: number } {
  let element = "";
  let at = start + 1;
  for (; at < text.length && text[at] !== '"'; at++) {
    if (text[at] === "\\") at++;
    element += text[at] ?? "";
  }
  return { element, end: at + 1 };
}

/** A bare element that begins at `start`. */
function bareElement(text: string, start: number, delimiter: string): { element: string | null; end: number } {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== "}") end++;
  const element = text.slice(start, end);
  return { element: element === "NULL" ? null : element, end };
}

/** Reads an array; undefined for one whose indexes do not begin at 1 (`[0:1]={a,b}`), which a list cannot say. */
export function parseArrayText(text: string, delimiter = ","): ArrayTexts | undefined {
  if (!text.startsWith("{")) return undefined;
  const open: (string | null | ArrayTexts)[][] = [];
  let at = 0;
  while (at < text.length) {
    const character = text[at];
    if (character === "{") {
      open.push([]);
      at++;
    } else if (character === "}") {
      const done = open.pop() ?? [];
      const outer = open.at(-1);
      if (!outer) return done;
      outer.push(done);
      at++;
    } else if (character === delimiter) at++;
    else {
      const { element, end } = character === '"' ? quotedElement(text, at) : bareElement(text, at, delimiter);
      open.at(-1)?.push(element);
      at = end;
    }
  }
  return undefined;
}

const quoted = (element: string): string => `"${element.replaceAll(/["\\]/g, "\\$&")}"`;

/** Writes an array: every element in quotes, NULL bare. Throws RangeError on more dimensions than there can be. */
export function toArrayText(array: ArrayTexts, delimiter = ",", depth = 1): string {
  if (depth > MAX_DIMENSIONS) throw new RangeError(`an array of more than ${MAX_DIMENSIONS} dimensions`);
  const elements = array.map((one) => {
    if (one === null) return "NULL";
    return typeof one === "string" ? quoted(one) : toArrayText(one, delimiter, depth + 1);
  });
  return `{${elements.join(delimiter)}}`;
}
