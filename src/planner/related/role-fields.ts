// What somebody did, by the field that says who: "inspections by member 14" are those with `inspector_id = 14`, "courses taught by member 3"
// those with `teacher_id = 3`. A prompt with the key of a record and tools in, the prompt with the field out.

import type { Tool } from "../../domain/tool.js";
import { isPlural, singularOf } from "../../lib/plural.js";
import { isAkin, stem, words } from "../../tools/search/terms.js";
import { isAgentField } from "../prompt/agents.js";
import { collectionOf, resourceNoun } from "../resource-noun.js";
import { keyNoun, slotsOf } from "../slots/slot.js";
import { keyFieldOf, keyFieldsOf, ownLists } from "./links.js";

/** A record that a prompt has the key of. */
interface Doer {
  list: Tool;
  /** "member 14", as it stands in the prompt. */
  key: string;
  id: string;
}

const DEED = /(?:^|\s)(?<verb>\p{L}+(?:ed|en|ne|ght|ade|un|ept|eld|ead|ot))\s+by\s+(?:the\s+)?$/iu;
const BY = /\sby\s+(?:the\s+)?$/iu;
/** Verbs that say no more than that something was done. */
const PLAIN = /^(?:done|made|performed)$/i;

/** Whether a field of a list is described as the key of a record of another list. */
const tellsOf = (field: string, list: Tool, { owner, tools }: { owner: Tool; tools: readonly Tool[] }): boolean =>
  tools.some(
    (tool) =>
      tool.application === list.application &&
      collectionOf(tool) === collectionOf(list) &&
      slotsOf(tool).some(
        ({ name, description }) =>
          name === field && words(description).some((word) => singularOf(word) === resourceNoun(owner)),
      ),
  );

/** The only field that says by whom the records of a list are, where that is a record of another list. */
function doerField(
  wanted: Tool,
  owner: Tool,
  { verb, tools }: { verb: string; tools: readonly Tool[] },
): string | undefined {
  const direct = keyFieldOf(wanted, owner, tools);
  const fields = keyFieldsOf(wanted, tools).filter(
    (field) => field === direct || tellsOf(field, wanted, { owner, tools }),
  );
  const isOfDeed = (field: string): boolean =>
    verb === "" || PLAIN.test(verb)
      ? isAkin(stem(keyNoun(field) ?? ""), stem(resourceNoun(wanted))) || PLAIN.test(words(field)[0] ?? "")
      : isAgentField(verb, field);
  const [only, ...others] = fields.filter(isOfDeed);
  return others.length === 0 ? only : undefined;
}

/** A prompt in which the field that says who did something stands for "by" and the one who did; the prompt itself where that is not certain. */
export function withDoerField(text: string, [doer, ...more]: readonly Doer[], tools: readonly Tool[]): string {
  if (!doer || more.length > 0) return text;
  const { list: owner, key, id } = doer;
  const at = text.indexOf(key);
  const before = text.slice(0, Math.max(0, at));
  if (!BY.test(before)) return text;
  const verb = DEED.exec(before)?.groups?.["verb"] ?? "";
  const said = words(before).filter(isPlural).map(singularOf);
  const [wanted, ...others] = ownLists(tools).filter(
    (list) => list.application === owner.application && said.includes(resourceNoun(list)),
  );
  if (!wanted || others.length > 0 || wanted === owner) return text;
  const field = doerField(wanted, owner, { verb, tools });
  if (field === undefined) return text;
  const kept = before.replace(verb === "" ? BY : DEED, "");
  return `${kept} with ${field} = ${id}${text.slice(at + key.length)}`;
}
