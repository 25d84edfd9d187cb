// Everyday phrases and the plain verb of applications for each: "take the tag off ticket 5" removes it, "switch it off" disables it.
// For the ranking only, where a wrong word is a wrong order; whether something is called is decided by what is said.
import { neighbourPairs, type Vocabulary } from "./postings.js";
import { stem, terms } from "./terms.js";
import { withoutQuoted } from "./value-place.js";

/** An everyday phrase, and what is read in its place. */
interface Phrase {
  said: RegExp;
  plain: string;
}

/** What stands between the parts of a verb: "take the old tag off". */
const OBJECT = String.raw`((?:\s+[^\s,.;:!?]+){1,5}?)`;
const COMMAND = String.raw`(?<![\p{L}\p{N}'’-])`;
const phrase = (said: string, plain: string): Phrase => ({ said: new RegExp(COMMAND + said, "giu"), plain });
/** A verb in two parts, with what it is done to behind it or between. */
const parted = (verbs: string, particle: string, plain: string): Phrase[] => [
  phrase(String.raw`(?:${verbs})\s+${particle}(?![\p{L}-])`, plain),
  phrase(String.raw`(?:${verbs})${OBJECT}\s+${particle}(?![\p{L}-])`, `${plain}$1`),
];

const PHRASES: readonly Phrase[] = [
  phrase(String.raw`(?:get\s+rid|rid\s+\S+|dispose)\s+of\b`, "delete"),
  ...parted("throw|chuck|toss", "away", "delete"),
  phrase(String.raw`(?:throw|kick|take|pull|turf|boot|move)${OBJECT}\s+(?:out|off)\s+of\b`, "remove$1 from"),
  phrase(String.raw`(?:throw|kick|boot|chuck)\s+out\b`, "remove"),
  phrase(String.raw`(?:throw|kick|boot|chuck)${OBJECT}\s+out\b`, "remove$1"),
  phrase(String.raw`(?:take|strip|pull|scratch)${OBJECT}\s+off\b(?!\s*[,.;]?\s*$)`, "remove$1 from"),
  ...parted("take|strip|pull", "off", "remove"),
  ...parted("turn|switch", "off", "disable"),
  ...parted("turn|switch", "on", "enable"),
  ...parted("shut|close|wind", "down", "stop"),
  ...parted("hand|sign|make", "over", "transfer"),
  ...parted("spin|set", "up", "create"),
  ...parted("fire|start", "up", "start"),
  ...parted("bring|put", "back", "restore"),
  ...parted("give|hand|send", "back", "return"),
  ...parted("roll", "back", "revert"),
  ...parted("pay", "back", "refund"),
  ...parted("call", "off", "cancel"),
  ...parted("hook|wire|link", "up", "connect"),
  ...parted("put|push", "off", "postpone"),
  ...parted("hold|put", "on\\s+hold", "pause"),
  phrase(String.raw`sign\s+off(?:\s+on)?\b`, "approve"),
  phrase(String.raw`(?:make|get|take)\s+(?:me\s+)?a\s+copy\s+of\b`, "copy"),
  phrase(String.raw`(?:reply|respond)(?:\s+(?:to|on))?\b`, "comment on"),
  phrase(String.raw`(?:give|grant)${OBJECT}\s+(?:access|permissions?|rights?)(?!\p{L})`, "set permissions for$1"),
  phrase(String.raw`(?:logged|signed)\s+in\s+as\b`, ""),
  phrase(String.raw`ask\s+(?=[\p{L}\d_.@-]+\s+to\s)`, "request "),
  phrase(String.raw`react(?=\s+(?:with|to|on)\b)`, "add reaction"),
  // What is made so is there already: "make the channel private", "make Ada an admin".
  phrase(String.raw`make(?=\s+(?:the|this|that|these|those|my|our|its|it|him|her|them|\S*[/#@\d]\S*)\s)`, "update"),
  phrase(String.raw`make(?=\s+(?!an?\b|new\b|another\b|some\b)[\p{L}\p{N}_.-]+\s+an?\s)`, "set"),
];

/** Every phrase has one of these: most queries have none. */
const ANY =
  /\b(?:ask|back|down|away|dispose|give|grant|hold|copy|make|in\s+as|off|on|out|over|react|reply|respond|rid|up)\b/i;

const short = (letters: string, meant: string): { said: RegExp; meant: string } => ({
  said: new RegExp(String.raw`(?<![\p{L}\p{N}_./#@-])(?:${letters})s?(?![\p{L}\p{N}_/@-]|\.\p{L})`, "gu"),
  meant,
});
/** Short forms of two words that stand beside each other in the catalogues that have them. */
const SHORT = [
  short("PR|pr", "pull request"),
  short("MR", "merge request"),
  short("DM|dm", "direct message"),
  short("VM|vm", "virtual machine"),
];

/** "sign Ada out" where a catalogue knows sessions. */
const SIGN_OUT = parted("log|sign", "out", "remove the logout sessions of");

/** "unassign" where a catalogue only knows how to assign, and "unarchive" where it only has a flag for what is archived. */
const UNDONE = /(?<![\p{L}\p{N}_./#@'’-])un-?([a-z]{3,})(?=\s|$)/giu;

/** What a catalogue says of verbs. */
interface KnownVerbs {
  /** Whether a tool is called by this stemmed word. */
  isCalled(term: string): boolean;
  /** Whether what a query takes back is a state that is set, not a part that is removed; `term` is it, stemmed. */
  takesBackState(query: string, term: string): boolean;
}

/** The query in plain words, of which the catalogue has these. */
export function inPlainWords(query: string, vocabulary: Vocabulary, verbs: KnownVerbs): string {
  const knows = (text: string): boolean => {
    const found = terms(text);
    return found.length > 0 && (found.length > 1 ? neighbourPairs(found) : found).every(vocabulary.has);
  };
  let plain = query;
  // What stands in quotes is a value.
  const replace = (said: RegExp, by: (found: string, object: string) => string): void => {
    if (plain.search(said) < 0) return;
    const unquoted = withoutQuoted(plain);
    let out = "";
    let from = 0;
    for (const { 0: found, 1: object = "", index } of plain.matchAll(said)) {
      if (!unquoted.startsWith(found, index)) continue;
      out += plain.slice(from, index) + by(found, object);
      from = index + found.length;
    }
    plain = out + plain.slice(from);
  };
  for (const { said, meant } of SHORT)
    replace(said, (found) => (knows(meant) ? meant + (found.endsWith("s") ? "s" : "") : found));
  replace(UNDONE, (word, done) => {
    if (verbs.isCalled(stem(word.toLowerCase())) || !knows(done)) return word;
    if (verbs.takesBackState(query, stem(done.toLowerCase()))) return `update ${done} of`;
    return knows(word) ? word : `remove ${done} of`;
  });
  if (!ANY.test(plain)) return plain;
  if (knows("session"))
    for (const { said, plain: verb } of SIGN_OUT) replace(said, (_, object) => verb.replace("$1", () => object));
  for (const { said, plain: verb } of PHRASES) replace(said, (_, object) => verb.replace("$1", () => object));
  return plain;
}
