// Descriptions as a model and a terminal should see them: HTML and links taken out, one line, cut at a sentence.
import { escapeCodePoint } from "../../../lib/invisible-characters.js";

/** A tool's description; OpenAI takes 1,024 characters and no more. */
export const TOOL_TEXT = 1000;
/** An argument's description. */
export const ARGUMENT_TEXT = 600;
/** What an application is called. */
export const TITLE_TEXT = 100;
/** The description of something inside an argument, of a resource, of the application. */
export const INNER_TEXT = 240;
/** A longer example costs more tokens than it is worth. */
export const MAX_EXAMPLE = 100;
/** What is looked at of a longer text. */
const READ = 8000;

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", "#39": "'", amp: "&" };

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max - 1);
  const sentence = Math.max(head.lastIndexOf(". "), head.lastIndexOf("! "), head.lastIndexOf("? "));
  if (sentence > max / 2) return head.slice(0, sentence + 1);
  const word = head.lastIndexOf(" ");
  return `${(word > max / 2 ? head.slice(0, word) : head).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** A description in one line of at most `max` characters, without HTML and link targets, with control characters as their code points. */
export function plain(text: string, max: number): string {
  const words = text
    .slice(0, READ)
    .replace(/<\/?[a-zA-Z][^<>]{0,500}>/g, " ")
    .replace(/!?\[([^[\]]{0,300})\]\([^()\s]{0,500}\)/g, "$1")
    .replace(/&(lt|gt|quot|apos|nbsp|#39|amp);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/[\s\u0085]+/g, " ")
    .replace(/\p{Cc}/gu, escapeCodePoint)
    .trim();
  return cut(words, max);
}

/** Two texts as sentences behind each other; the first is left out when the second begins with it. */
export function sentences(first: string, second: string): string {
  if (!first || second.toLowerCase().startsWith(first.toLowerCase().replace(/\.$/, ""))) return second;
  if (!second) return first;
  return `${first}${/[.!?…:]$/.test(first) ? "" : "."} ${second}`;
}
