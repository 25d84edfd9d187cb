// What a terminal sends, as keys: letters, editing keys, and a paste as one piece of text. Knows no line.
// Source: XTerm Control Sequences, "Bracketed Paste Mode"

/** A key that was pressed, or what was typed or pasted. */
export type Key = { kind: "text"; text: string } | { kind: "paste"; text: string } | { kind: KeyName };

export type KeyName =
  | ("enter" | "newline" | "tab" | "backspace" | "delete" | "left" | "right" | "up" | "down" | "home" | "end")
  | (
      | "word-left"
      | "word-right"
      | "erase-word"
      | "erase-next-word"
      | "erase-before"
      | "erase-after"
      | "yank"
      | "older"
      | "newer"
      | "redraw"
    )
  | ("interrupt" | "end-of-input" | "search" | "cancel" | "suspend" | "unknown");

/** Tells a terminal to mark what is pasted, and to stop it. */
export const PASTE_ON = "\u001b[?2004h";
export const PASTE_OFF = "\u001b[?2004l";
const PASTE_BEGIN = "\u001b[200~";
const PASTE_END = "\u001b[201~";

const CONTROLS: Readonly<Record<string, KeyName>> = {
  "\r": "enter",
  "\n": "newline",
  "\t": "tab",
  "\u007f": "backspace",
  "\b": "backspace",
  "\u0001": "home",
  "\u0002": "left",
  "\u0003": "interrupt",
  "\u0004": "end-of-input",
  "\u0005": "end",
  "\u0006": "right",
  "\u0007": "cancel",
  "\u000b": "erase-after",
  "\u000c": "redraw",
  "\u000e": "newer",
  "\u0010": "older",
  "\u0012": "search",
  "\u0015": "erase-before",
  "\u0017": "erase-word",
  "\u0019": "yank",
  "\u001a": "suspend",
};

/** What stands behind an escape. */
const SEQUENCES: Readonly<Record<string, KeyName>> = {
  "\r": "newline",
  "\n": "newline",
  "\u007f": "erase-word",
  b: "word-left",
  d: "erase-next-word",
  f: "word-right",
  "[A": "up",
  OA: "up",
  "[B": "down",
  OB: "down",
  "[C": "right",
  OC: "right",
  "[D": "left",
  OD: "left",
  "[H": "home",
  OH: "home",
  "[1~": "home",
  "[7~": "home",
  "[F": "end",
  OF: "end",
  "[4~": "end",
  "[8~": "end",
  "[3~": "delete",
  "[1;5C": "word-right",
  "[1;3C": "word-right",
  "[1;5D": "word-left",
  "[1;3D": "word-left",
  // Shift-Enter and Alt-Enter of terminals that tell them from Enter.
  "[13;2u": "newline",
  "[13;3u": "newline",
};

const SEQUENCE = /^\u001b(\[[\d;?]*[A-Za-z~]|O[A-Za-z]|[\s\S])/;

/** Makes a reader of what a terminal sends; a sequence may come in pieces, and a lone escape with the next of them. */
export function createKeyReader(): (chunk: string) => Key[] {
  let rest = "";
  return (chunk) => {
    rest += chunk;
    const keys: Key[] = [];
    while (rest !== "") {
      if (rest.startsWith(PASTE_BEGIN)) {
        const end = rest.indexOf(PASTE_END);
        if (end < 0) break;
        keys.push({ kind: "paste", text: rest.slice(PASTE_BEGIN.length, end).replaceAll(/\r\n?/g, "\n") });
        rest = rest.slice(end + PASTE_END.length);
        continue;
      }
      if (rest.startsWith("\u001b")) {
        if (/^\u001b(?:\[[\d;?]*|O)?$/.test(rest)) break;
        const [whole = "", what = ""] = SEQUENCE.exec(rest) ?? [];
        keys.push({ kind: SEQUENCES[what] ?? "unknown" });
        rest = rest.slice(Math.max(1, whole.length));
        continue;
      }
      const text = /^[^\u0000-\u001f\u007f]+/.exec(rest)?.[0] ?? "";
      if (text === "") keys.push({ kind: CONTROLS[rest[0] ?? ""] ?? "unknown" });
      else keys.push({ kind: "text", text });
      rest = rest.slice(Math.max(1, text.length));
    }
    return keys;
  };
}
