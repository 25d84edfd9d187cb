// A CHECK as the server writes it (`pg_get_expr`) to what it says of single columns: lists of values, ranges, lengths, joined by AND.
// Anything else is understood not at all. Pure. Source: the forms that ruleutils of PostgreSQL gives these expressions.

/** One thing that a CHECK says of a column; `column` is VALUE in the CHECK of a domain. */
export interface Fact {
  column: string;
  operator: "in" | ">" | ">=" | "<" | "<=" | "length";
  /** The texts of the literals; one but for `in`. */
  values: readonly string[];
}

type Token = { kind: "name" | "text" | "number" | "mark"; text: string };

const TOKEN =
  /\s*(?:("(?:[^"]|"")*"|[A-Za-z_][\w$]*)|('(?:[^']|'')*')|(\d+(?:\.\d+)?)|(::|<=|>=|<>|[-()[\],.<>=+*/|~!&%^#@]))/y;

function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const [, name, quoted, number, mark] = TOKEN.exec(text) ?? [];
    if (name !== undefined)
      tokens.push({ kind: "name", text: name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name });
    else if (quoted !== undefined) tokens.push({ kind: "text", text: quoted.slice(1, -1).replaceAll("''", "'") });
    else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (mark !== undefined) tokens.push({ kind: "mark", text: mark });
    else return undefined;
  }
  return tokens;
}

/** What stands at one side of an operator. */
type Operand = { kind: "column" | "length" | "literal"; text: string } | { kind: "list"; values: string[] };

/** Thrown within this file when an expression has another form. */
class OtherForm extends Error {}

const LENGTHS = new Set(["length", "char_length", "character_length"]);
/** Types of more than one word, as casts have them. */
const TYPE_WORDS = new Set(["varying", "precision", "with", "without", "time", "zone"]);
const FLIPPED: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=" };

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  #is(text: string, kind: Token["kind"] = "mark"): boolean {
    const token = this.#tokens[this.#at];
    return token?.kind === kind && token.text === text;
  }

  #take(text: string, kind: Token["kind"] = "mark"): boolean {
    const found = this.#is(text, kind);
    if (found) this.#at++;
    return found;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw new OtherForm();
  }

  #next(): Token {
    const token = this.#tokens[this.#at++];
    if (!token) throw new OtherForm();
    return token;
  }

  whole(): Fact[] {
    const facts = this.#conjunction();
    if (this.#at < this.#tokens.length) throw new OtherForm();
    return facts;
  }

  #conjunction(): Fact[] {
    const facts = this.#condition();
    while (this.#take("AND", "name")) facts.push(...this.#condition());
    return facts;
  }

  /** A condition, or several in parentheses; an operand may begin with a parenthesis too. */
  #condition(): Fact[] {
    const start = this.#at;
    if (this.#take("(")) {
      try {
        const facts = this.#conjunction();
        this.#expect(")");
        return facts;
      } catch (error) {
        if (!(error instanceof OtherForm)) throw error;
        this.#at = start;
      }
    }
    return [this.#comparison()];
  }

  #comparison(): Fact {
    const left = this.#operand();
    const operator = this.#next().text;
    if (operator === "=" && this.#take("ANY", "name")) {
      this.#expect("(");
      const list = this.#operand();
      this.#expect(")");
      if (left.kind !== "column" || list.kind !== "list") throw new OtherForm();
      return { column: left.text, operator: "in", values: list.values };
    }
    const right = this.#operand();
    const flipped = FLIPPED[operator];
    if (!flipped) throw new OtherForm();
    return left.kind === "literal" ? factOf(right, flipped, left) : factOf(left, operator, right);
  }

  #operand(): Operand {
    const operand = this.#bare();
    while (this.#take("::")) this.#type();
    return operand;
  }

  #bare(): Operand {
    if (this.#take("(")) {
      const inner = this.#operand();
      this.#expect(")");
      return inner;
    }
    if (this.#take("-")) return { kind: "literal", text: `-${this.#next().text}` };
    const token = this.#next();
    if (token.kind === "text" || token.kind === "number") return { kind: "literal", text: token.text };
    if (token.kind !== "name") throw new OtherForm();
    if (token.text === "ARRAY" && this.#take("[")) return this.#list();
    if (this.#is("(")) return this.#length(token.text);
    return { kind: "column", text: token.text };
  }

  #length(name: string): Operand {
    if (!LENGTHS.has(name)) throw new OtherForm();
    this.#expect("(");
    const of = this.#operand();
    this.#expect(")");
    if (of.kind !== "column") throw new OtherForm();
    return { kind: "length", text: of.text };
  }

  #list(): Operand {
    const values: string[] = [];
    do {
      const item = this.#operand();
      if (item.kind !== "literal") throw new OtherForm();
      values.push(item.text);
    } while (this.#take(","));
    this.#expect("]");
    return { kind: "list", values };
  }

  /** The type of a cast: a name with its schema, words, a length and brackets. */
  #type(): void {
    this.#next();
    while (this.#take(".")) this.#next();
    while (TYPE_WORDS.has(this.#tokens[this.#at]?.text ?? "")) this.#at++;
    if (this.#take("(")) while (!this.#take(")")) this.#next();
    while (TYPE_WORDS.has(this.#tokens[this.#at]?.text ?? "")) this.#at++;
    while (this.#take("[")) this.#expect("]");
  }
}

function factOf(subject: Operand, operator: string, literal: Operand): Fact {
  if (literal.kind !== "literal" || subject.kind === "list" || subject.kind === "literal") throw new OtherForm();
  const { text } = literal;
  if (subject.kind === "length") {
    if (operator === "<=") return { column: subject.text, operator: "length", values: [text] };
    if (operator === "<") return { column: subject.text, operator: "length", values: [String(Number(text) - 1)] };
    throw new OtherForm();
  }
  if (operator === "=") return { column: subject.text, operator: "in", values: [text] };
  return { column: subject.text, operator: operator as ">" | ">=" | "<" | "<=", values: [text] };
}

/** Everything that an expression says, or undefined when some of it is of another form. */
export function factsOf(expression: string): readonly Fact[] | undefined {
  const tokens = tokensOf(expression);
  if (!tokens) return undefined;
  try {
    return new Reader(tokens).whole();
  } catch (error) {
    if (error instanceof OtherForm) return undefined;
    throw error;
  }
}
