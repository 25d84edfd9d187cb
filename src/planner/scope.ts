// Which application a prompt is about, by its name or that of one of its tools. The name says where, not what: it is taken out of
// the prompt before that is read, unless the tools of the application are called by the same word.
import { ownName, type Tool } from "../domain/tool.js";
import { createMentions, UNNAMED_APPLICATION } from "../tools/search/application-mentions.js";
import { terms } from "../tools/search/terms.js";
import { quoted } from "./answer/sentences.js";
import { namedTools, promptWithOwnNames } from "./named-tool.js";

/** What a prompt that names an application, or a tool, comes to. */
type Scope =
  /**
   * `tools` are those of that application, `tool` is the one that is named itself. The name of the application may also be a word
   * for records of others, which then may be meant.
   */
  | { kind: "one"; prompt: string; tools: readonly Tool[]; tool?: Tool; isWord: boolean }
  | { kind: "several"; text: string };

type Mention = ReturnType<ReturnType<typeof createMentions>>[number];

/** The tools of each application, and the words they are called by. */
interface Part {
  tools: readonly Tool[];
  words: ReadonlySet<string>;
}

const partsOf = new WeakMap<readonly Tool[], ReadonlyMap<string, Part>>();

/** Made once for a list of tools, as their index is. */
function parts(tools: readonly Tool[]): ReadonlyMap<string, Part> {
  let found = partsOf.get(tools);
  if (!found) {
    const own = tools.filter(({ transport }) => transport.kind !== "builtin");
    const names = new Set(own.map(({ application }) => application));
    found = new Map(
      [...names].map((name): [string, Part] => {
        const of = own.filter(({ application }) => application === name);
        const words = new Set(
          of.flatMap((tool) => [ownName(tool), tool.resource, tool.transport.path ?? ""].flatMap(terms)),
        );
        return [name, { tools: of, words }];
      }),
    );
    partsOf.set(tools, found);
  }
  return found;
}

const BEFORE =
  /(?:(?:^|\s+)(?:in|inside|within|from|on|of|to|into|at|for|with|via|using|by))?(?:(?:^|\s+)(?:the|my|our|a))?\s*$/i;
const BEHIND = /^(?:['’]s)?(?:\s+(?:application|app|api|system|service|database)\b)?\s*[:,]?/i;

/** The prompt without the words that name the application. */
function without(prompt: string, mentions: readonly Mention[]): string {
  let text = prompt;
  for (const { start, end } of mentions.toReversed()) {
    const before = text.slice(0, start).replace(BEFORE, "");
    const behind = text.slice(end).replace(BEHIND, "");
    text = /^\s|^$|^[.!?;]/.test(behind) ? before + behind : `${before} ${behind}`;
  }
  return text.trim();
}

function severalScope(applications: Iterable<string>): Scope {
  const names = quoted(
    [...new Set(applications)].map((name) => name || UNNAMED_APPLICATION),
    "and",
  );
  return {
    kind: "several",
    text: `I use one application at a time, so I called nothing. Ask ${names} one after the other.`,
  };
}

/** A word of the tools of an application is no name of another one beside them. */
const isWordOf = (application: string, part: Part | undefined): boolean =>
  application !== "" && terms(application).every((term) => part?.words.has(term));

/** The scope of a prompt that names tools in full; undefined when it names none. */
function toolScope(prompt: string, tools: readonly Tool[], known: ReadonlyMap<string, Part>): Scope | undefined {
  const found = namedTools(prompt, tools);
  const [first] = found;
  if (!first) return undefined;
  const part = known.get(first.tool.application);
  const isOther = ({ application }: Mention): boolean => !isWordOf(application, part);
  const mentions = createMentions(known.keys())(prompt).filter(isOther);
  const all = new Set([...found.map(({ tool }) => tool), ...mentions].map(({ application }) => application));
  const only = found.every(({ tool }) => tool === first.tool) ? first.tool : undefined;
  const tool = all.size > 1 ? only && toolOfOther(only, all, known) : only;
  if (all.size > 1 && !tool) return severalScope(all);
  const bare = promptWithOwnNames(prompt, found);
  return {
    kind: "one",
    prompt: without(bare, createMentions(known.keys())(bare).filter(isOther)),
    tools: known.get((tool ?? first.tool).application)?.tools ?? [],
    tool,
    isWord: false,
  };
}

/** "listItems in the shop": what the tool of the other application is called only there, where that application is named beside it. */
function toolOfOther(
  { name, application }: Tool,
  named: ReadonlySet<string>,
  known: ReadonlyMap<string, Part>,
): Tool | undefined {
  const [other, ...more] = [...named].filter((one) => one !== application);
  if (application !== "" || other === undefined || more.length > 0) return undefined;
  return known.get(other)?.tools.find((tool) => ownName(tool) === name);
}

/** The application a prompt names; undefined when it names none, or there are no several. */
export function scopeOf(prompt: string, tools: readonly Tool[]): Scope | undefined {
  const known = parts(tools);
  if (known.size < 2 && ![...known.keys()].some((name) => name !== "")) return undefined;
  const named = toolScope(prompt, tools, known);
  if (named) return named;
  const mentions = createMentions(known.keys())(prompt);
  // "the todo items in the shop": one of two names is what the other application is asked for.
  const all = [...new Set(mentions.map(({ application }) => application))];
  const meant = all.filter((one) => !all.some((other) => other !== one && isWordOf(one, known.get(other))));
  const [only, ...others] = meant.length > 0 ? meant : all;
  if (only === undefined) return undefined;
  if (others.length > 0) return severalScope([only, ...others]);
  const part = known.get(only);
  const isOwn = ({ application }: Mention): boolean => application === only;
  return {
    kind: "one",
    prompt: isWordOf(only, part) ? prompt : without(prompt, mentions.filter(isOwn)),
    tools: part?.tools ?? [],
    isWord: [...known].some(([name, other]) => name !== only && isWordOf(only, other)),
  };
}
