// Where a text stops being JSON, without a word of it: Node quotes what it stumbles over, and the text may hold secrets.
import { parse } from "lossless-json";

/** Such as "line 3, column 14", for a text that `JSON.parse` has refused. */
export function jsonFault(text: string): string {
  try {
    parse(text);
    return "some line";
  } catch (error) {
    const position = Number(/ at position (\d+)$/.exec(error instanceof Error ? error.message : "")?.[1] ?? 0);
    const before = text.slice(0, position).split("\n");
    return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
  }
}
