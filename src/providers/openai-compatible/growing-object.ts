// The text of a JSON object that comes in pieces, and whether it is whole by now. Each piece is looked at once, and the text is parsed
// once, when its last bracket has come: both for every piece would cost the square of their number.
import { isObject, type JsonObject, parseJson, toJson } from "../../lib/json.js";

const DEPTH: Readonly<Record<string, number>> = { "{": 1, "[": 1, "}": -1, "]": -1 };
/** What matters outside of a text, and in one. */
const OUTSIDE = /["{}[\]]/g;
const INSIDE = /["\\]/g;

function isObjectText(text: string): boolean {
  try {
    return isObject(parseJson(text));
  } catch {
    return false;
  }
}

export class GrowingObject {
  text = "";
  private depth = 0;
  private isInText = false;
  /** Whether the next character stands behind a backslash. */
  private isEscaped = false;
  /** Undefined while its last bracket has not come. */
  private whole: boolean | undefined;

  /** Adds a piece. */
  add(piece: string): void {
    this.text += piece;
    if (this.whole) this.whole = piece.trim() === "";
    else if (this.whole === undefined) this.scan(piece);
  }

  /** Takes an object in place of what came before. */
  replace(value: JsonObject): void {
    this.text = toJson(value);
    this.whole = true;
  }

  isWhole(): boolean {
    return this.whole === true;
  }

  private scan(piece: string): void {
    let at = 0;
    if (this.isEscaped && piece !== "") {
      at = 1;
      this.isEscaped = false;
    }
    while (at < piece.length) {
      const pattern = this.isInText ? INSIDE : OUTSIDE;
      pattern.lastIndex = at;
      const found = pattern.exec(piece);
      if (!found) return;
      const [mark] = found;
      at = found.index + 1;
      if (mark === '"') this.isInText = !this.isInText;
      else if (mark === "\\") {
        this.isEscaped = at === piece.length;
        at++;
      } else {
        this.depth += DEPTH[mark] ?? 0;
        if (this.depth > 0) continue;
        // Whatever follows the last bracket, but white space, makes it no object.
        this.whole = isObjectText(this.text);
        return;
      }
    }
  }
}
