// What a prompt asks for, before any tool is looked at: reading or which kind of change, a how-to question, a negation,
// a count, everything at once, a reference to an earlier record. A change counts as requested only when the prompt commands it.
import { isPlural } from "../../lib/plural.js";
import { type Intent, intentsOf } from "../../tools/search/synonyms.js";
import { stem } from "../../tools/search/terms.js";
import { type PromptText, type Token, withSmallBeginnings } from "./prompt.js";

/** A prompt's request. */
export interface Request {
  /** The changes it commands, each with its verb; empty for a prompt that only asks. */
  commands: { intents: ReadonlySet<Intent>; term: string }[];
  /** It begins with a verb or a question word, unlike the answer to a question. */
  standalone: boolean;
  /** It commands a change after a read: "list the old ones and delete them". */
  changesAfterRead: boolean;
  /** It asks to see something. */
  reads: boolean;
  /** It asks how something is done instead of asking to do it. */
  howTo: boolean;
  /** It forbids something. */
  negated: boolean;
  counts: boolean;
  /** It mentions a change, commanded or not. */
  changes: boolean;
  /** It means all records. */
  everything: boolean;
  /** It refers to a record of the conversation: "it", "that one". */
  refers: boolean;
  /** It only greets, or asks what can be done. */
  help: boolean;
  /** It is only thanks or approval. */
  thanks: boolean;
}

const HELP =
  /^\s*(?:please )?(?:help|help me|(?:can|could) you help(?: me)?|hello|hi|hey|hello there|hi there|hey there|good (?:morning|afternoon|evening)|what can (?:you|i) do(?: here| for me| (?:with|about) (?:the |my |our )?[a-z]+)?|what (?:tools|commands)[^?]*|who are you|what are you|how does this work)(?: please)?[\s!.?]*$/i;
const THANKS =
  /^\s*(?:ok(?:ay)?,? |great,? |perfect,? )?(?:thanks?(?: you)?(?: (?:so|very) much| a lot)?|thx|cheers|great|perfect|ok(?:ay)?|nice|cool)[\s!.]*$/i;
/** Whether a text only greets, thanks or asks what can be done. */
export const isSmallTalk = (text: string): boolean => HELP.test(text) || THANKS.test(text);
const HOW_TO =
  /\bhow (?:do|can|could|would|should|might) (?:i|we|you|one|someone)\b|\bhow to\b|\b(?:what|which) (?:happens|would happen) (?:if|when)\b|\bis it (?:possible|safe|ok|okay)\b|\b(?:can|could|may|should|am i able to) i\b(?! (?:get|see|have|view|find))|\bwhat (?:does|would) (?:it|deleting|removing|creating)\b|\bexplain how\b/i;
const REFERS = /\b(?:it|that|this|them|those|these|its|their|the (?:first|second|third|last|same) one)\b/;
/** Words that forbid; "stop" does before another verb or by itself, and is a command before a noun. */
const NEGATED =
  /\b(?:do not|don['’]?t|doesn['’]?t|never|no need to|avoid|must not|mustn['’]?t|should not|shouldn['’]?t|not to|please not|won['’]t|will not|cannot|can['’]?t|didn['’]?t|did not)\b|\bstop\b(?=\s*(?:[,.!;]|$)|\s+(?!r?ing\b)\w+ing\b)/i;
/** "without deleting them" forbids that; "clerks without training" are some. */
const WITHOUT = /\bwithout\s+(\w+ing)\b/gi;
const forbids = (text: string): boolean =>
  NEGATED.test(text) ||
  [...text.matchAll(WITHOUT)].some(([, deed = ""]) => intentsOf(stem(deed.toLowerCase())).size > 0);

/** "the phone number of Ada" is no count. */
const COUNTS =
  /\bhow many\b|\bcount\b(?!\s+(?:is\s+)?(?:above|below|over|under|between|at (?:least|most)|of (?:\d|at\b)|(?:more|less|fewer|greater|higher|lower) than\b|[<>=≥≤]))|(?:^|\b(?:the|a|total|and|what|is|are|show|give|me|tell)\s+)number of\b|\btotal (?:number|count)\b/i;
/** Whether a text asks how many there are of something. */
export const asksForCount = (text: string): boolean => COUNTS.test(text);

const QUESTION =
  /^\s*(?:so |and |but |ok(?:ay)?,? |please )?(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|does|do|did|has|have|had|will|would it|should)\b/i;
const POLITE =
  /^(?:please|pls|plz|kindly|now|then|ok|okay|hey|hi|hello|also|and|just|can|could|would|will|you|i|we|d|like|want|need|to|us|let|lets|let's|go|ahead|help|me|wish|have|must|should|be|i'd|i'm|trying|for|my|try|quickly|next|first|finally|so|well|yes|sure|the|a|an|could've|all|agentd)$/;
/** Words before the noun of what a prompt reads. */
export const READ_LEAD =
  /^(?:please|show|list|get|find|give|display|see|view|count|whats?|which|me|us|all|the|our|my|any|every|how|many|number|of|is|are|s|do|does|we|you|have|there|got)$/;
const READ_START =
  /^(?:show|list|get|find|fetch|search|display|view|see|look|give|tell|count|retrieve|read|print|check|describe|lookup)$/;

/** Words for the listener: "give me task 4" asks to see it. */
const LISTENER = /^(?:me|us)$/;
const GIVES = /^(?:give|hand|pass)$/;
/** What "give task 4 to user 9" is called where it is a tool. */
const ASSIGN = "assign";

/** Names of persons in more words are none. */
const MOST_NAME_WORDS = 3;

/**
 * Whether a prompt gives a record to somebody: "give task 4 to user 9", "give user 9 task 4". To give one alone, or to the listener,
 * is to show it.
 */
function isGiving({ word }: Token, rest: readonly Token[], { entities }: PromptText): boolean {
  if (!GIVES.test(word) || rest.some((token) => LISTENER.test(token.word))) return false;
  const keyed = (from: number): boolean =>
    entities.some(({ kind, start }) => start >= from && /^(?:number|id)$/.test(kind));
  const to = rest.find((token) => token.word === "to");
  // "give berth N3 to Vesta": its key stands before, and a name behind.
  const isNamed = (from: number): boolean =>
    entities.some(({ kind, start }) => kind === "name" && start >= from) &&
    entities.some(({ kind, end }) => end < from && /^(?:number|id)$/.test(kind));
  // "give ticket A-7 to ada": behind the key and "to" stands somebody, in small letters, too.
  const isSomebody = (from: number): boolean =>
    rest.some(
      ({ start, word }) => start >= from && /^\p{L}/u.test(word) && !/^(?:see|read|show|look|the|a|an)$/.test(word),
    ) &&
    rest.filter(({ start }) => start >= from).length <= MOST_NAME_WORDS &&
    entities.some(({ kind, end }) => end < from && /^(?:number|id)$/.test(kind));
  if (to) return keyed(to.end) || isNamed(to.end) || isSomebody(to.end);
  const keys = entities.filter(({ kind }) => /^(?:number|id)$/.test(kind));
  return rest.length === 4 && keys.length === 2 && !/^\d/.test(rest[0]?.word ?? "");
}

/** "make guest 8 vip", "make it public", "put order 7 on hold": what is made something, or put somewhere, exists. */
function isMaking({ word }: Token, rest: readonly Token[], { text, entities }: PromptText): boolean {
  if (word !== "make" && word !== "put") return false;
  const [first, second] = rest.filter((token) => !/^(?:the|my|our)$/.test(token.word));
  if (!first) return false;
  if (/^(?:it|this|that|him|her|them)$/.test(first.word)) return true;
  const key = entities.find(({ kind, start }) => start >= first.end && /^(?:number|id|email)$/.test(kind));
  return key !== undefined && /^\s+#?$/.test(text.slice(first.end, key.start)) && second !== undefined;
}

/** "check in stay 5", "check guest 3 out" change something; "check order 7" looks. */
const isCheckingIn = ({ word, end }: Token, next: Token | undefined, text: string): boolean =>
  word === "check" &&
  (/^(?:in|out)$/.test(next?.word ?? "") || /^\s+(?:the\s+)?\p{L}+\s+#?\w+\s+(?:in|out)\b/iu.test(text.slice(end)));

const BEING = /^(?:is|was|are|were|has|had|got|needs?|wants?|must|should|will)$/;

/** Verbs that end as those who do something do. */
const VERB_IN_ER =
  /^(?:re|un)?(?:register|deliver|cover|member|consider|trigger|administer|order|enter|filter|alter|offer|render|answer|monitor|author|transfer|refer|prefer|defer|number)$|over$/;

/** Whether a verb is in a form that commands; "closed issues" and "the deleted files" describe a state. */
function isCommandForm(token: Token, [next, after]: readonly Token[]): boolean {
  // In "orders of Ada", "order 5" and "book 2 is back" the first word is a noun, though it is also a verb.
  if (next?.word === "of" || /[^s]s$/.test(token.word)) return false;
  // A "subscriber" does what the verb says, and is no command.
  if (/(?:er|or)$/.test(token.word) && token.term.length < token.word.length && !VERB_IN_ER.test(token.word))
    return false;
  // "active" is a state; to make it so is to activate.
  if (/tive$/.test(token.word)) return false;
  // "open issues", "open urgent issues" are those that are open.
  const noun = next && !isPlural(next.word) && !/^(?:an?|the|new|another|\d.*)$/.test(next.word) ? after : next;
  if (token.word === "open" && noun !== undefined && isPlural(noun.word) && !/^\d/.test(after?.word ?? ""))
    return false;
  // "new orders" are those that are new; one more is "a new order".
  if (token.word === "new" && next !== undefined && isPlural(next.word)) return false;
  if (/^\d/.test(next?.word ?? "") && (token.term === "order" || BEING.test(after?.word ?? ""))) return false;
  return (
    !/(?:ed|ing|tion|ions)$/.test(token.word) ||
    /^(?:need|feed|add|embed|seed|shed|speed|proceed|bring|string|mention)$/.test(token.word)
  );
}

/** The text of a prompt with its quoted texts blanked: what they say forbids nothing. */
function withoutQuotes({ text, entities }: PromptText): string {
  let out = text;
  for (const { kind, start, end } of entities)
    if (kind === "quoted") out = out.slice(0, start) + " ".repeat(end - start) + out.slice(end);
  return out;
}

/** "in post 3 delete …", "for post #3, delete …": where the place ends that a prompt may begin with, and its command begins. */
function placeEnd({ text, entities }: PromptText): number {
  const place =
    /^\s*(?:please\s+)?(?:in|from|for|on|at|within|under|to|of)\s+(?:the\s+|my\s+)?[\w-]+\s+(?:with\s+)?(?:id\s+|no\.?\s+|number\s+|#\s*)?/i.exec(
      text,
    );
  const key =
    place &&
    entities.find(({ start, end, kind }) => start <= place[0].length && end > place[0].length && kind !== "date");
  return key?.end ?? 0;
}

/** Reads the request in a prompt. */
export function readRequest(prompt: PromptText): Request {
  const { text, tokens } = prompt;
  const howTo = HOW_TO.test(text);
  const question = QUESTION.test(text);
  const literal = prompt.entities.filter(({ kind }) => kind !== "name");
  const unquoted = tokens.filter(({ start }) => !literal.some((value) => start >= value.start && start < value.end));
  const commands: Request["commands"] = [];
  let reads = question || howTo;
  let leading = !question && !/^\s*to\b/i.test(text);
  const from = leading ? placeEnd(prompt) : 0;
  let read = false;
  let changesAfterRead = false;
  unquoted.forEach((token, i) => {
    if (leading && (POLITE.test(token.word) || token.start < from)) return;
    const before = unquoted[i - 1];
    const joined = before && /^(?:and|then|also)$/.test(before.word);
    const begins = before && /[.!?;]\s*$/.test(text.slice(before.end, token.start));
    const commanding = isCommandForm(token, tokens.slice(tokens.indexOf(token) + 1));
    if (joined && read && commanding)
      changesAfterRead ||= [...intentsOf(token.term)].some((intent) => intent !== "read");
    // "set up" makes something new.
    const setUp = token.word === "set" && unquoted[i + 1]?.word === "up";
    const intents = new Set<Intent>(
      setUp
        ? ["create"]
        : isMaking(token, tokens.slice(tokens.indexOf(token) + 1), prompt)
          ? token.word === "put"
            ? ["create", "update"]
            : ["update"]
          : [...intentsOf(token.term)].filter((one) => one !== "read"),
    );
    if ((leading || (joined && !read) || begins) && commanding) {
      if (isGiving(token, tokens.slice(tokens.indexOf(token) + 1), prompt))
        commands.push({ intents: new Set<Intent>(["update"]), term: stem(ASSIGN) });
      else if (READ_START.test(token.word) && !intents.has("delete") && !isCheckingIn(token, unquoted[i + 1], text)) {
        reads = true;
        read = true;
      } else if (leading || intents.size > 0) commands.push({ intents, term: token.term });
    }
    leading = false;
  });
  return {
    commands,
    changesAfterRead,
    standalone: question || read || commands.some(({ intents }) => intents.size > 0),
    reads: reads || commands.every(({ intents }) => intents.size === 0),
    howTo,
    negated: forbids(withoutQuotes(prompt)),
    counts: asksForCount(text),
    changes: unquoted.some(({ term }) => [...intentsOf(term)].some((intent) => intent !== "read")),
    everything: /\b(?:all|every|everything|each|entire)\b/i.test(text),
    refers: REFERS.test(withSmallBeginnings(text)),
    help: HELP.test(text),
    thanks: THANKS.test(text),
  };
}

/** Whether a term is the plain form of a change, such as the last word of a path "/orders/{id}/ship". */
export function commandsTerm(request: Request, term: string): boolean {
  return request.commands.some((command) => command.term === stem(term) || command.term === term);
}
