// The CHECKs of a table, read from its CREATE statement: values a column is limited to, bounds and lengths become fields of the
// column, everything else stays a text. What is not understood is never taken for something else.
import type { Column } from "../catalogue.js";

/** A piece of a statement: a name or word, a quoted name, a text, a number, or a sign. */
interface Token {
  kind: "word" | "name" | "text" | "number" | "sign";
  value: string;
  start: number;
  end: number;
}

const TOKEN =
  /\s+|--[^\n]*|\/\*[\s\S]*?\*\/|'((?:[^']|'')*)'|"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[([^\]]*)\]|(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([\p{L}_][\p{L}\p{N}_$]*)|(<=|>=|<>|!=|==|\|\||.)/gsu;

function tokensOf(sql: string): Token[] {
  return [...sql.matchAll(TOKEN)].flatMap((match): Token[] => {
    const [whole, text, double, back, bracket, number, word, sign] = match;
    const at = { start: match.index, end: match.index + whole.length };
    if (text !== undefined) return [{ kind: "text", value: text.replaceAll("''", "'"), ...at }];
    const name = double?.replaceAll('""', '"') ?? back?.replaceAll("``", "`") ?? bracket;
    if (name !== undefined) return [{ kind: "name", value: name, ...at }];
    if (number !== undefined) return [{ kind: "number", value: number, ...at }];
    if (word !== undefined) return [{ kind: "word", value: word, ...at }];
    return sign === undefined ? [] : [{ kind: "sign", value: sign, ...at }];
  });
}

const isWord = (token: Token | undefined, word: string): boolean =>
  token?.kind === "word" && token.value.toLowerCase() === word;
const isSign = (token: Token | undefined, sign: string): boolean => token?.kind === "sign" && token.value === sign;

/** The index of the bracket that closes the one at `open`. */
function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if (isSign(tokens[at], "(")) depth++;
    else if (isSign(tokens[at], ")") && --depth === 0) return at;
  }
  return tokens.length;
}

/** What is inside of each CHECK, as tokens and as it is written. */
function checksIn(sql: string): { tokens: Token[]; text: string }[] {
  const tokens = tokensOf(sql);
  return tokens.flatMap((token, at) => {
    if (!isWord(token, "check") || !isSign(tokens[at + 1], "(")) return [];
    const end = closing(tokens, at + 1);
    const inside = tokens.slice(at + 2, end);
    const [first] = inside;
    return first ? [{ tokens: inside, text: sql.slice(first.start, inside.at(-1)?.end) }] : [];
  });
}

/** Splits a condition at its top-level ANDs, the one of BETWEEN excepted. */
function conjuncts(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  let isBetween = false;
  for (const token of tokens) {
    if (isSign(token, "(")) depth++;
    if (isSign(token, ")")) depth--;
    if (depth === 0 && isWord(token, "between")) isBetween = true;
    if (depth === 0 && isWord(token, "and")) {
      if (!isBetween) {
        parts.push([]);
        continue;
      }
      isBetween = false;
    }
    parts.at(-1)?.push(token);
  }
  return parts.map(unwrapped);
}

/** Without the brackets around all of it. */
function unwrapped(tokens: Token[]): Token[] {
  return isSign(tokens[0], "(") && closing(tokens, 0) === tokens.length - 1 ? unwrapped(tokens.slice(1, -1)) : tokens;
}

/** A number as a schema can hold it, with its sign; undefined when these tokens are none. */
function numberOf(tokens: readonly Token[]): number | undefined {
  const [first, second] = tokens;
  const isNegative = isSign(first, "-");
  const digits = isNegative ? second : first;
  if (digits?.kind !== "number" || tokens.length !== (isNegative ? 2 : 1)) return undefined;
  return isNegative ? -Number(digits.value) : Number(digits.value);
}

type Facts = Pick<Column, "values" | "maxLength" | "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum">;

const BOUNDS: Readonly<Record<string, keyof Facts>> = {
  ">=": "minimum",
  "<=": "maximum",
  ">": "exclusiveMinimum",
  "<": "exclusiveMaximum",
};

/** The texts of `IN ('a', 'b')`; undefined when it is anything else. */
function listOfTexts(tokens: readonly Token[]): string[] | undefined {
  if (!isSign(tokens[0], "(") || closing(tokens, 0) !== tokens.length - 1) return undefined;
  const inside = tokens.slice(1, -1);
  const isList = inside.every((token, at) => (at % 2 === 0 ? token.kind === "text" : isSign(token, ",")));
  return isList && inside.length % 2 === 1
    ? inside.flatMap(({ kind, value }) => (kind === "text" ? [value] : []))
    : undefined;
}

/** What one condition says of one column; undefined when it is not of a form that is known. */
function factOf(tokens: readonly Token[]): { column: string; facts: Facts } | undefined {
  const [first, second, ...rest] = tokens;
  if (!first || !second) return undefined;
  if (isWord(first, "length") && isSign(second, "(") && isSign(rest[1], ")")) {
    const most = numberOf(rest.slice(3));
    const isMost = isSign(rest[2], "<=") && most !== undefined;
    return isMost && rest[0] ? { column: rest[0].value, facts: { maxLength: most } } : undefined;
  }
  if (first.kind !== "word" && first.kind !== "name") return undefined;
  const column = first.value;
  if (isWord(second, "in")) {
    const values = listOfTexts(rest);
    return values && { column, facts: { values } };
  }
  if (isWord(second, "between")) {
    const at = rest.findIndex((token) => isWord(token, "and"));
    const [minimum, maximum] = [numberOf(rest.slice(0, at)), numberOf(rest.slice(at + 1))];
    return minimum === undefined || maximum === undefined ? undefined : { column, facts: { minimum, maximum } };
  }
  const bound = BOUNDS[second.kind === "sign" ? second.value : ""];
  const limit = numberOf(rest);
  return bound === undefined || limit === undefined ? undefined : { column, facts: { [bound]: limit } };
}

/** What the CHECKs of a table say of single columns, by their names in lower case, and those that say something else. */
export function readChecks(sql: string): { facts: ReadonlyMap<string, Facts>; others: string[] } {
  const facts = new Map<string, Facts>();
  const others: string[] = [];
  for (const { tokens, text } of checksIn(sql)) {
    const found = conjuncts(tokens).map(factOf);
    if (found.some((one) => one === undefined)) others.push(text.replaceAll(/\s+/g, " "));
    for (const one of found)
      if (one) facts.set(one.column.toLowerCase(), { ...facts.get(one.column.toLowerCase()), ...one.facts });
  }
  return { facts, others };
}
