// What a script says without running it: the objects it writes out, with names of variables filled in where the script gives them a
// value of its own. Enough for the settings of documentation pages, whose scripts are made by generators. Everything it does not
// understand is left out. Bounded in steps and depth: the script is a stranger's.
// Source: ECMAScript, "Lexical Grammar" and "Object Initializer".
import {
  exactNumber,
  isObject,
  type JsonObject,
  type JsonValue,
  MAX_JSON_DEPTH,
  parseJson,
} from "../../../../lib/json.js";

import { NAME, NUMBER, ScriptText, TooLong } from "./script-text.js";

type Maybe = JsonValue | undefined;

const LITERALS: Readonly<Record<string, JsonValue>> = { true: true, false: false, null: null };

/** Reads one script. */
class ScriptReader extends ScriptText {
  readonly found: JsonObject[] = [];
  readonly #variables: Map<string, JsonValue>;

  constructor(source: string, known: Readonly<Record<string, string>>) {
    super(source);
    this.#variables = new Map(Object.entries(known));
  }

  /** Walks through the whole script. */
  run(): void {
    while (this.at < this.source.length) {
      this.skipBlanks();
      const path = this.path();
      if (path !== undefined) this.#statement(path);
      else if (this.peek() === "{") {
        const value = this.#object(0);
        if (value === undefined) this.advance(1);
        else if (isObject(value)) this.found.push(value);
      } else this.skipToken();
    }
  }

  /** What follows a name: an assignment, or a call with a text. */
  #statement(path: string): void {
    this.skipBlanks();
    const next = this.source.slice(this.at, this.at + 2);
    if (next[0] === "=" && next[1] !== "=" && next[1] !== ">") {
      this.advance(1);
      const value = this.#expression(0);
      if (value === undefined) return;
      const last = path.slice(path.lastIndexOf(".") + 1);
      this.#variables.set(path, value);
      if (last !== path) this.#variables.set(last, value);
      this.found.push({ [last]: value });
    } else if (next[0] === "(" && /\binit$/i.test(path)) {
      this.advance(1);
      const value = this.#expression(0);
      if (typeof value === "string") this.found.push({ url: value });
      else if (isObject(value)) this.found.push(value);
    }
  }

  /** A text; undefined when a template has a part that is not known. */
  #text(): string | undefined {
    const quote = this.peek();
    let text: string | undefined = "";
    this.advance(1);
    while (this.at < this.source.length && this.peek() !== quote) {
      if (this.peek() === "\\") text = joined(text, this.escape());
      else if (quote === "`" && this.source.startsWith("${", this.at)) {
        this.advance(2);
        const value = this.#expression(0);
        this.skipTo("}");
        this.advance(1);
        text = joined(text, value);
      } else {
        const piece = this.match(quote === "`" ? /[^\\`$]+|\$/y : quote === '"' ? /[^\\"\n]+/y : /[^\\'\n]+/y);
        // A line break ends a text that was not closed.
        if (piece === undefined) return undefined;
        text = joined(text, piece);
      }
    }
    this.advance(1);
    return text;
  }

  /** Values joined by `+`, or the first known one of those joined by `||` and `??`. Stops where it understands no further. */
  #expression(depth: number): Maybe {
    if (depth > MAX_JSON_DEPTH) throw new TooLong();
    let value = this.#operand(depth);
    for (;;) {
      this.skipBlanks();
      const operator = this.match(/\|\||\?\?|\+(?![+=])/y);
      if (operator === undefined) return value;
      const right = this.#operand(depth);
      if (operator === "+") value = value === undefined ? undefined : joined(value, right);
      else value = value === undefined || value === "" || value === null ? right : value;
    }
  }

  #operand(depth: number): Maybe {
    this.skipBlanks();
    const character = this.peek();
    if (character === "{") return this.#object(depth + 1) ?? this.#skipped();
    if (character === "[") return this.#list(depth + 1);
    if (character !== "" && `"'\``.includes(character)) return this.#members(this.#text());
    if (character === "(") {
      this.advance(1);
      const value = this.#expression(depth + 1);
      this.skipTo(")");
      this.advance(1);
      return this.#members(value);
    }
    const number = this.match(NUMBER);
    if (number !== undefined) return exactNumber(number) ?? number;
    const path = this.path();
    return path === undefined ? undefined : this.#named(path, depth);
  }

  /** What a name stands for, or a call of it gives. */
  #named(path: string, depth: number): Maybe {
    if (Object.hasOwn(LITERALS, path)) return LITERALS[path];
    this.skipBlanks();
    if (path === "new" || path === "await") return this.#operand(depth);
    if (this.peek() !== "(") return this.#members(this.#lookUp(path));
    const values = this.#list(depth + 1, ")");
    const objects = values.filter(isObject);
    if (path === "Object.assign") return this.#members(Object.fromEntries(objects.flatMap(Object.entries)));
    if (path === "JSON.parse") return this.#members(typeof values[0] === "string" ? parsed(values[0]) : undefined);
    this.found.push(...objects);
    // What makes an address of a text, such as `resolveUrl("./json")`, is given the better part of it.
    return this.#members(values[0]);
  }

  #lookUp(path: string): Maybe {
    const known = this.#variables.get(path) ?? this.#variables.get(path.replace(/^(window|document|self)\./, ""));
    if (known !== undefined) return known;
    const [first = "", ...rest] = path.split(".");
    let value: Maybe = this.#variables.get(first);
    for (const name of rest) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    return value;
  }

  /** Calls on a value, such as `.replace(…)`; what they make of it is not known, except where it is the value again. */
  #members(value: Maybe): Maybe {
    let result = value;
    for (;;) {
      this.skipBlanks();
      const name = this.match(/\.\s*[\w$]+/y)?.replace(/^\.\s*/, "");
      if (name === undefined) return result;
      this.skipBlanks();
      if (this.peek() !== "(") {
        result = isObject(result) && Object.hasOwn(result, name) ? result[name] : undefined;
        continue;
      }
      this.advance(1);
      this.skipTo(")");
      this.advance(1);
    }
  }

  /** The known ones among values up to a closing bracket. */
  #list(depth: number, end = "]"): JsonValue[] {
    const items: JsonValue[] = [];
    this.advance(1);
    for (;;) {
      this.skipBlanks();
      if (this.peek() === end || this.at >= this.source.length) break;
      const value = this.#expression(depth);
      this.skipTo(`,${end}`);
      if (value !== undefined) items.push(value);
      if (this.peek() === ",") this.advance(1);
      else break;
    }
    this.advance(1);
    return items;
  }

  /** An object; undefined, and nothing read, when the brace begins a block. */
  #object(depth: number): JsonObject | undefined {
    if (depth > MAX_JSON_DEPTH) throw new TooLong();
    const start = this.at;
    const members: [string, JsonValue][] = [];
    this.advance(1);
    for (let first = true; ; first = false) {
      this.skipBlanks();
      if (this.peek() === "}" || this.at >= this.source.length) break;
      if (!this.#member(members, depth) && first) {
        this.at = start;
        return undefined;
      }
      this.skipTo(",}");
      if (this.peek() === ",") this.advance(1);
    }
    this.advance(1);
    return Object.fromEntries(members);
  }

  /** One member of an object; false for what cannot be one. */
  #member(members: [string, JsonValue][], depth: number): boolean {
    if (this.match(/\.\.\./y)) {
      const spread = this.#expression(depth);
      if (isObject(spread)) members.push(...Object.entries(spread));
      return true;
    }
    const quoted = `"'`.includes(this.peek());
    const key = quoted ? this.#text() : (this.match(NAME) ?? this.match(NUMBER));
    if (key === undefined) return false;
    this.skipBlanks();
    const next = this.peek();
    if (next === ":") this.advance(1);
    else if (quoted || !",}(".includes(next) || (next === "(" && !this.#isMethod())) return false;
    const value = next === ":" ? this.#expression(depth) : next === "(" ? undefined : this.#lookUp(key);
    if (value !== undefined) members.push([key, value]);
    return true;
  }

  /** Whether the parameters here are those of a method: of a call no body follows, and its brace began a block. */
  #isMethod(): boolean {
    this.advance(1);
    this.skipTo(")");
    this.advance(1);
    this.skipBlanks();
    return this.peek() === "{";
  }

  #skipped(): undefined {
    this.advance(1);
    this.skipTo("}");
    this.advance(1);
  }
}

function joined(left: Maybe, right: Maybe): string | undefined {
  const isText = (value: Maybe): boolean => typeof value === "string" || typeof value === "number";
  return isText(left) && isText(right) ? `${left}${right}` : undefined;
}

function parsed(text: string): Maybe {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/**
 * The objects a script writes out, and `{ name: value }` for each value it assigns, in their order. `known` gives values to names
 * that the browser does, such as `location.origin`. Never throws.
 */
export function objectsIn(source: string, known: Readonly<Record<string, string>> = {}): JsonObject[] {
  const reader = new ScriptReader(source, known);
  try {
    reader.run();
  } catch (error) {
    if (!(error instanceof TooLong || error instanceof RangeError)) throw error;
  }
  return reader.found;
}
