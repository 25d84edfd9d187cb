// A JSON text that was cut off, closed after its last whole element, so that a huge answer stays data instead of half a text.
import { type JsonValue, MAX_JSON_DEPTH } from "../../../lib/json.js";
import { parseOutsideJson } from "../../../lib/outside-json.js";

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN = new Map([
  [91, "]"],
  [123, "}"],
]);

/**
 * The value of a cut JSON text: containers are closed where the last complete element of the innermost list or object ended.
 * Throws SyntaxError when nothing whole arrived or the text is not JSON.
 */
export function repairJson(text: string): JsonValue {
  const closers: string[] = [];
  let end = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === BACKSLASH) i++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    // An element is complete before a comma.
    else if (code === 44) end = i;
    else if (OPEN.has(code)) {
      closers.push(OPEN.get(code) ?? "");
      if (closers.length > MAX_JSON_DEPTH) throw new SyntaxError("nested too deep");
      end = i + 1;
    } else if (code === 93 || code === 125) {
      closers.pop();
      end = i + 1;
    }
  }
  // Whatever opens or closes a container ends something whole: those that are open now were open there.
  return parseOutsideJson(text.slice(0, end) + closers.reverse().join(""));
}
