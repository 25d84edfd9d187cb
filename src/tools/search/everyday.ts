// Everyday phrases and the plain verb of applications for each: "take the tag off ticket 5" removes it, "switch it off" disables it.
// For the ranking only, where a wrong word is a wrong order; whether something is called is decided by what is said.
import { neighbourPairs, type Vocabulary } from "./postings.js";
import { stem, terms } from "./terms.js";
import { withoutQuoted } from "./value-place.js";

/** An everyday phrase, and what is read in its place. */
interface Phrase {
  said: RegExp;
  /**
   * Of several ways to say it, parted by `|`, the first by whose first word a tool is called, the last where none is. `$1` is what
   * stands between, `$&` all that was said: "kill" stays where something is killed.
   */
  plain: string;
}

/** What stands between the parts of a verb: "take the old tag off". */
const OBJECT = String.raw`((?:\s+[^\s,.;:!?]+){1,5}?)`;
const COMMAND = String.raw`(?<![\p{L}\p{N}'’-])`;
const phrase = (said: string, plain: string): Phrase => ({ said: new RegExp(COMMAND + said, "giu"), plain });
/** A verb in two parts, with what it is done to behind it or between. */
const parted = (verbs: string, particle: string, plain: string): Phrase[] => [
  phrase(String.raw`(?:${verbs})\s+${particle}(?![\p{L}-])`, plain),
  phrase(
    String.raw`(?:${verbs})${OBJECT}\s+${particle}(?![\p{L}-])`,
    plain
      .split("|")
      .map((way) => `${way}$1`)
      .join("|"),
  ),
];

/** A verb that a sentence begins with. */
const FIRST = String.raw`(?<=^\W*(?:(?:please|pls|can|could|would|will|you|i|we|want|need|like|have|to|just|now|and|then|lets|let's)\s+)*)`;
const first = (said: string, plain: string): Phrase => ({ said: new RegExp(`${FIRST}(?:${said})`, "giu"), plain });
/** What a verb is done to follows it. */
const HAS_OBJECT = String.raw`(?=\s+[\p{L}\p{N}#])`;
/** Everyday verbs for taking something away for good. */
const DESTROY = "kill|wipe|scrap|nuke|axe|ditch|bin|scratch|strike|zap|dump|peel|cross|cut";

const PHRASES: readonly Phrase[] = [
  first(String.raw`(?:${DESTROY})(?:\s+(?:out|off))?${HAS_OBJECT}`, "$&|delete"),
  first(String.raw`(?:kick|throw|boot|chuck)(\s+[\p{L}\p{N}_.@-]+)\s+(?:off|out\s+of|from)\b`, "remove member$1 from"),
  first(String.raw`rename\b`, "$&|update the name of"),
  first(`answer${HAS_OBJECT}`, "$&|reply to"),
  first(String.raw`swap${OBJECT}\s+(?:for|with)\b`, "replace$1 with"),
  first(String.raw`use\s+(?:another|a\s+different)\b`, "replace"),
  first(String.raw`(?:a\s+)?new\s+password\s+(?:for|on)\b`, "change the password of"),
  first(
    String.raw`(?:book|log|track|enter)\s+(?=(?:\d\S*|an?|half\s+an|two|three|four|five)\s*(?:h|hrs?|hours?|m|min|minutes?)\b)`,
    "add spent time ",
  ),
  phrase(String.raw`let${OBJECT}\s+(?:back\s+)?in(?=\s|$)`, "unblock$1|unban$1|restore$1|allow$1"),
  phrase(String.raw`(?:give|pay|send)${OBJECT}\s+money\s+back\b`, "refund$1"),
  phrase(
    String.raw`(?:fix|correct)\s+(?:an?|the|that|my)?\s*(?:typos?|spelling|mistakes?)(?:\s+(?:in|of))?\b`,
    "update",
  ),
  phrase(String.raw`(?:change|set|fix)\s+the\s+(?:order|sequence)\s+of\b`, "reorder|sort|update"),
  phrase(
    String.raw`(?:has|have|needs?)\s+to\s+be\s+(?:done|finished|completed|ready)\s+(?:by|before|until)\b`,
    "set due date",
  ),
  phrase(
    String.raw`(?:give|get|send|hand)\s+(?:me\s+)?(?:an?|the)\s+(?:zip|tarball|tar)(?:\s+file)?\s+of\b`,
    "download the archive of",
  ),
  ...parted("lock|shut", String.raw`out(?!\s+of)`, "block|suspend|ban|lock|disable"),
  ...parted("pass|send", "on", "forward"),
  ...parted("push|move", "back", "reschedule|postpone|update"),
  ...parted("tick|check", "off", "complete"),
  ...parted("send", "out", "send"),
  phrase(String.raw`(?:get\s+rid|rid\s+\S+|dispose)\s+of\b`, "delete"),
  ...parted("throw|chuck|toss", "away", "delete"),
  phrase(String.raw`(?:throw|kick|take|pull|turf|boot|move)${OBJECT}\s+(?:out|off)\s+of\b`, "remove$1 from"),
  phrase(String.raw`(?:throw|kick|boot|chuck)\s+out\b`, "remove"),
  phrase(String.raw`(?:throw|kick|boot|chuck)${OBJECT}\s+out\b`, "remove$1"),
  phrase(String.raw`(?:take|strip|pull|scratch)${OBJECT}\s+off\b(?!\s*[,.;]?\s*$)`, "remove$1 from"),
  ...parted("take|strip|pull", "off", "remove"),
  ...parted("turn|switch", "off", "deactivate|disable"),
  ...parted("turn|switch", "on", "activate|enable"),
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
    if (verbs.isCalled(stem(word.toLowerCase()))) return word;
    if (/^(?:delete|remove|trash)$/i.test(done)) return "restore";
    if (!knows(done)) return word;
    if (verbs.takesBackState(query, stem(done.toLowerCase()))) return `update ${done} of`;
    return knows(word) ? word : `remove ${done} of`;
  });
  if (knows("session"))
    for (const { said, plain: verb } of SIGN_OUT) replace(said, (_, object) => verb.replace("$1", () => object));
  for (const { said, plain: ways } of PHRASES)
    replace(said, (found, object) => {
      const all = ways.split("|").map((way) => way.replace("$&", () => found).replace("$1", () => object));
      return (
        all.find((way) => verbs.isCalled(stem(/^\p{L}+/u.exec(way)?.[0].toLowerCase() ?? ""))) ?? all.at(-1) ?? found
      );
    });
  return plain;
}
