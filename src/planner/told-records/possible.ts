// In which lists the records may be that a prompt says a change of, before any of them is read: where some words of it were the name of a
// record, all the others would say what changes. A prompt and tools in, lists out.

import { ownName, type Tool } from "../../domain/tool.js";
import { singularOf } from "../../lib/plural.js";
import { isStopWord, words } from "../../tools/search/terms.js";
import { isWholeList } from "../names/name-lists.js";
import type { Today } from "../prompt/entities.js";
import { collectionOf, resourceNoun } from "../resource-noun.js";
import { joinOfBoth, mayJoinTwo } from "./between.js";
import { assignmentsOf } from "./clause.js";
import { actionIn, actsOn, settableOf, toldText, toolFor } from "./told.js";

const MOST_WORDS = 24;
/** Words of a name. */
const MOST_OF_NAME = 5;
/** Of more lists the words of each are too common. */
const MOST_LISTS = 24;
/** What may stand within a name, and be no name itself. */
const INSIDE = /^(?:of|the|and|de|la|in|on)$/i;

/** A text with each stretch that may be the name of a record in place of it. */
function withAssumed(text: string): string[] {
  const tokens = [...text.matchAll(/[#\p{L}\p{N}](?:[\p{L}\p{N}'’/-]|\.(?=\S))*/gu)].map(({ 0: said, index }) => ({
    said: said.replace(/['’]s$/u, ""),
    start: index,
    end: index + said.length,
  }));
  if (tokens.length > MOST_WORDS) return [];
  const isName = (said: string): boolean => !isStopWord(said.toLowerCase());
  return tokens.flatMap(({ start, said }, at): string[] => {
    if (!isName(said)) return [];
    const out: string[] = [];
    for (const last of tokens.slice(at, at + MOST_OF_NAME)) {
      if (!isName(last.said)) {
        if (INSIDE.test(last.said)) continue;
        break;
      }
      const lead = /(?:the|our|my)\s+$/iu.exec(text.slice(0, start))?.index ?? start;
      out.push(`${text.slice(0, lead)}§${text.slice(last.end)}`);
    }
    return out;
  });
}

/** Whether what a sign stands for may be the name of a record of a list: no mere noun, and no record of another noun. */
function hasName(text: string, assumed: string, { list, nouns }: { list: Tool; nouns: ReadonlySet<string> }): boolean {
  const [before = "", behind = ""] = assumed.split("§");
  const said = text.slice(before.length, text.length - behind.length).replace(/^(?:the|our|my)\s+/i, "");
  const keyed = /(?<noun>\p{Ll}+)\s+#?\d+$/u.exec(said)?.groups?.["noun"];
  if (keyed !== undefined && (singularOf(keyed) !== resourceNoun(list) || said.split(/\s+/).length > 2)) return false;
  return !nouns.has(singularOf(said.toLowerCase()));
}

/** Whether a text would say a change of a record of a list, were some of its words the name of that. */
function maySay(text: string, list: Tool, { tools, today }: { tools: readonly Tool[]; today: Today }): boolean {
  const update = toolFor(list, tools, ({ verb }) => verb === "update");
  const told = { slots: update ? settableOf(update) : [], row: {}, rows: [], acts: actsOn(list, tools), today };
  const nouns = new Set(tools.filter(isWholeList).map(resourceNoun));
  return withAssumed(text).some(
    (assumed) =>
      hasName(text, assumed, { list, nouns }) &&
      ((update !== undefined && assignmentsOf(assumed, { ...told, isAssumed: true }) !== undefined) ||
        actionIn(assumed, list, { tools, today }) !== undefined),
  );
}

/** The lists that a text may say something of two records of, of which one has the key of the other or a third has both. */
function listsOfTwo(text: string, lists: readonly Tool[], tools: readonly Tool[]): Tool[] {
  const said = new Set(words(text).map(singularOf));
  const nouns = tools.filter(isWholeList).map(resourceNoun);
  return lists.flatMap((one) => {
    const update = toolFor(one, tools, ({ verb }) => verb === "update");
    return lists.flatMap((other) => {
      if (one === other || one.application !== other.application) return [];
      const own = [one, other].map(resourceNoun);
      if (nouns.some((noun) => said.has(noun) && !own.includes(noun))) return [];
      if (update && mayJoinTwo(text, update, other) === "reference") return [one, other];
      const joins = joinOfBoth(one, other, tools) !== undefined;
      return joins && mayJoinTwo(text, one, other) === "join" ? [one, other] : [];
    });
  });
}

/** The lists whose records a prompt may say a change of. */
export function listsTold(prompt: string, context: { tools: readonly Tool[]; today: Today }): Tool[] {
  const { tools } = context;
  const text = toldText(prompt);
  const lists = tools.filter(
    (list) =>
      isWholeList(list) &&
      tools.some((tool) => tool.safety !== "read_only" && collectionOf(tool) === collectionOf(list)),
  );
  if (lists.length > MOST_LISTS || tools.some((tool) => text.includes(ownName(tool)))) return [];
  const found = new Set([...lists.filter((list) => maySay(text, list, context)), ...listsOfTwo(text, lists, tools)]);
  return lists.filter((list) => found.has(list));
}
