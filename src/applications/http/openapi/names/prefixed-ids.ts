// Ids that put something in front of a function: the module it stands in, the operation's tag, or its path. None is told by itself,
// only by most ids of a description, and none where people write the same: "droplets_list".
// Sources: the default naming of Django Ninja, connexion, drf-spectacular and the OData converter of Microsoft; the ids that FastAPI's
// documentation makes of tags.
import { singularOf } from "../../../../lib/plural.js";
import { isVerb } from "../../../../tools/acting-words.js";
import { isActionWord, squash, wordsIn } from "./english.js";

/** What is known of an operation. */
export interface IdentifiedOperation {
  operationId: string | undefined;
  /** In lower case. */
  method: string;
  path: string;
  /** Its first tag. */
  tag?: string | undefined;
}

/** The words of the function that an id ends with; undefined where it is not made so. */
type FunctionReader = (one: IdentifiedOperation) => string[] | undefined;

/** What a module is named for what it is in its framework. */
const KIND = /^(?:apis?|views|viewsets?|routers?|routes|endpoints|controllers|handlers)$/;
/** Of those, what holds files by subject. */
const FOLDER = /^(?:viewsets|routers|routes|endpoints|controllers|handlers)$/;
const VERSION = /^v\d+$/;
/** What drf-spectacular calls an operation of each method. */
const SPECTACULAR: Readonly<Record<string, RegExp>> = {
  get: /_(?:list|retrieve)$/,
  post: /_create$/,
  put: /_update$/,
  patch: /_partial_update$/,
  delete: /_destroy$/,
};
/** What people seldom say in an id. */
const SPECTACULAR_ONLY = /_(?:retrieve|destroy|partial_update)(?:_\d+)?$/;

/** What OData's converter makes of a path, an entity and what is done: "users.user.ListUser", "me.GetDrive-12ab". */
const OF_ENTITY = /^[\w-]+(?:\.[\w-]+)*\.([A-Z][A-Za-z0-9]*)(?:-[0-9a-f]{4})?$/;

/** Whether a word says what is done. */
export const isDoing = (word = ""): boolean => isActionWord(word) || isVerb(word);

/** A function, and whether it is in a folder of files: "list_events" may still have its file in front. */
interface InModule {
  words: string[];
  isInFolder: boolean;
}

/** The function of "module.function" or "module_function"; undefined where the module says what is done: "list_api_keys". */
function inModule({ operationId: id = "" }: IdentifiedOperation): InModule | undefined {
  const isDotted = id.includes(".");
  const parts = id.split(isDotted ? "." : "_");
  if (parts.length < 3 || !parts.every((part) => (isDotted ? /^[a-z_]\w*$/ : /^[a-z0-9]+$/).test(part)))
    return undefined;
  let at = parts.findIndex((part, i) => KIND.test(part) && (isDotted || i > 0));
  if (at < 0 || at > parts.length - 2) return undefined;
  const modules = isDotted ? parts.slice(0, -1) : parts.slice(0, at);
  if (modules.flatMap(wordsIn).some(isDoing)) return undefined;
  if (isDotted) return { words: wordsIn(parts.at(-1) ?? ""), isInFolder: false };
  while (at < parts.length - 2 && (KIND.test(parts[at + 1] ?? "") || VERSION.test(parts[at + 1] ?? ""))) at++;
  return {
    words: parts.slice(at + 1),
    isInFolder: FOLDER.test(parts.slice(0, at + 1).findLast((part) => KIND.test(part)) ?? ""),
  };
}

/** A reader of functions without the files they stand in: of "events_list" and "events_delete" that is "events". */
function withoutFiles(functions: readonly InModule[]): (one: InModule) => string[] {
  const counts = new Map<string, { all: number; doing: number }>();
  for (const { words } of functions) {
    const [first = "", second] = words;
    const { all, doing } = counts.get(first) ?? { all: 0, doing: 0 };
    counts.set(first, { all: all + 1, doing: doing + (isDoing(second) ? 1 : 0) });
  }
  return ({ words, isInFolder }) => {
    const { all, doing } = counts.get(words[0] ?? "") ?? { all: 0, doing: 0 };
    const isFile = isInFolder && !isDoing(words[0]) && all > 1 && doing * 2 >= all;
    return isFile && words.length > 1 ? words.slice(1) : words;
  };
}

/** What stands behind the tag: "get_all" of "Bookings-get_all". */
function behindTag({
  operationId: id = "",
  tag = "",
}: IdentifiedOperation): { sign: string; rest: string } | undefined {
  const known = squash(tag);
  if (known === "" || !squash(id).startsWith(known)) return undefined;
  for (let at = id.length - 1; at > 0; at--)
    if (/[-_.]/.test(id[at] ?? "") && squash(id.slice(0, at)) === known) {
      const rest = id.slice(at + 1);
      return /^[a-z_]\w*$/.test(rest) ? { sign: id[at] ?? "", rest } : undefined;
    }
  return undefined;
}

/** Whether an id is its path and what the framework calls an operation of the method. */
function isPathAndAction({ operationId = "", method, path }: IdentifiedOperation): boolean {
  const id = operationId.replace(/_\d+$/, "");
  const action = SPECTACULAR[method]?.exec(id)?.[0];
  const literal = squash(path.replace(/\{[^{}]*\}/g, ""));
  return action !== undefined && literal.endsWith(squash(id.slice(0, -action.length)));
}

/** How ids of one kind are read. */
interface Reader {
  pattern: string;
  read: FunctionReader;
}

/** Whether so many of all look the same that those a person may have written do by no accident. */
type IsMost = (count: number, all: number) => boolean;

function moduleReader(named: readonly IdentifiedOperation[], isMost: IsMost): Reader | undefined {
  const inside = named.flatMap((one) => inModule(one) ?? []);
  const own = withoutFiles(inside);
  const functions = inside.map(own);
  const isNamedAsDone = functions.filter(([first]) => isDoing(first)).length * 2 > functions.length;
  if (functions.length < 2 || !isNamedAsDone || !isMost(functions.length, named.length)) return undefined;
  const read: FunctionReader = (one) => {
    const found = inModule(one);
    return found && own(found);
  };
  return { pattern: "module and function", read };
}

function tagReader(named: readonly IdentifiedOperation[], isMost: IsMost): Reader | undefined {
  const all = named.filter(({ tag }) => tag !== undefined);
  const tagged = all.flatMap((one) => {
    const found = behindTag(one);
    return found ? [{ ...found, noun: singularOf(wordsIn(one.tag ?? "").at(-1) ?? "") }] : [];
  });
  // A person does not write two signs for a space, nor the thing twice: "users-read_user_me", "users_read_user".
  const isFunction = tagged.filter(
    ({ sign, rest, noun }) =>
      (sign === "-" && rest.includes("_")) || wordsIn(rest).some((word) => singularOf(word) === noun),
  );
  if (tagged.length < 2 || !isMost(tagged.length, all.length) || isFunction.length * 2 < tagged.length)
    return undefined;
  const read: FunctionReader = (one) => {
    const rest = behindTag(one)?.rest;
    return rest === undefined ? undefined : wordsIn(rest);
  };
  return { pattern: "tag and function", read };
}

function pathReader(named: readonly IdentifiedOperation[], isMost: IsMost): Reader | undefined {
  const made = named.filter(isPathAndAction);
  const isKnown = made.some(({ operationId = "" }) => SPECTACULAR_ONLY.test(operationId));
  if (!isKnown || !isMost(made.length, named.length)) return undefined;
  return { pattern: "path and action", read: (one) => (isPathAndAction(one) ? [] : undefined) };
}

function entityReader(named: readonly IdentifiedOperation[], isMost: IsMost): Reader | undefined {
  const read: FunctionReader = ({ operationId = "" }) => {
    const name = OF_ENTITY.exec(operationId)?.[1];
    return name === undefined ? undefined : wordsIn(name);
  };
  const doing = named.filter((one) => isDoing(read(one)?.[0]));
  return doing.length > 1 && isMost(doing.length, named.length)
    ? { pattern: "path, entity and function", read }
    : undefined;
}

/** A reader of the ids of one description that have something in front of a function. */
export function createPrefixReader(
  operations: readonly IdentifiedOperation[],
  isMost: IsMost,
): (one: IdentifiedOperation) => { pattern: string; action: string[] } | undefined {
  const named = operations.filter(({ operationId }) => operationId !== undefined);
  const readers = [moduleReader, tagReader, pathReader, entityReader].flatMap((make) => make(named, isMost) ?? []);
  return (one) => {
    for (const { pattern, read } of readers) {
      const action = read(one);
      if (action) return { pattern, action };
    }
    return undefined;
  };
}
