// Operation ids that a generator made from the code: recognised by how each generator makes them, against the path and the method
// of the operation, never by examples. What a person wrote is left alone.
// Sources: the default naming of FastAPI, NestJS, tsoa, Springfox, springdoc, Spring Data REST, NSwag, Swashbuckle, grpc-gateway,
// LoopBack, Laravel, grape-swagger, API Platform, swagger-php, Medusa and AutoRest.
import { isBare, isCrudAlone, squash, wordsIn } from "./english.js";
import { createPrefixReader, type IdentifiedOperation, isDoing } from "./prefixed-ids.js";

/** What a generated id says. */
export interface GeneratedId {
  /** The pattern, for people. */
  pattern: string;
  /** The words of the function; none when the id says no more than method and path do. */
  action: string[];
  /** The words of the class around it. */
  subject?: string[];
  /** The version of the interface, where one function serves several. */
  version?: string;
}

const METHOD = "get|put|post|delete|options|head|patch|trace|query";
const HASH = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+|generated::[0-9a-z]+)$/i;
const SPRINGFOX = /^(.+)Using(GET|HEAD|POST|PUT|DELETE|OPTIONS|PATCH|TRACE)(?:_\d+)?$/;
const DATA_REST = new RegExp(`^[a-zA-Z]+-[\\w$]+-(?:${METHOD})(?:_\\d+)*$`);
/** A class named for what it is in its framework, and a function of it. */
const OF_CLASS =
  /^(?:.*[.\\/:])?([A-Za-z][\w$]*?)(?:Rest)?(?:Controller(?:Impl|Base)?|Ctrl|Resource|Handlers?|Endpoints?|ViewSet|Service|Api)(?:::|[._#@/-])([A-Za-z$][\w$]*?)(?:_(v?\d+))?(?:\[\d+\])?$/;
/** What NestJS calls a function that takes every method: one id for each. */
const OF_ANY_METHOD = new RegExp(`^(.+Controller_[A-Za-z$][A-Za-z0-9$]*)_(?:${METHOD})$`);
const OF_PASCAL = /^([A-Z][A-Za-z0-9]*)(?:_([A-Z][A-Za-z0-9]*)|\.([A-Za-z][A-Za-z0-9]*))$/;
const NUMBERED = /^(.+)_\d+$/;
const COUNTED = /^(.*\D)\d+$/;
const RAILS = /^(?:.*[./:])?([\w-]+)[#@.](index|show|store|create|update|destroy|edit|new)$/;
/** The same of any action. */
const ROUTE = /^(?:.*[./:])?([\w-]+)\.([A-Za-z][\w-]*)$/;
/** Only these say for certain that a dot stands between a resource and an action of the framework. */
const RAILS_ONLY = /[.#@](?:index|store|destroy)$/;

/** The pattern of ids that people write, too, where the path says the rest. */
export const VERB_ALONE = "a verb alone";

/** The pattern of ids that are a group, or a controller, and what is done: "Users_GetAll", "VirtualMachines_PowerOff". */
export const GROUPED = "Controller_Action";

/** Of the ids of a description, how many must look the same for those of them that a person may have written, too. */
const MOST = 0.8;

/** Characters of an id, and of a path, that are looked at: no generator makes longer ones. */
const MAX_LENGTH = 500;

/** The function of FastAPI's "function + path + _ + method", where everything but word characters is an underscore. */
function functionOf({ operationId = "", path }: IdentifiedOperation): string | undefined {
  const body = new RegExp(`^(.+)_(?:${METHOD})$`).exec(operationId)?.[1];
  if (body === undefined) return undefined;
  // A proxy in front may add segments that the application does not know.
  for (let at = 0; at >= 0; at = path.indexOf("/", at + 1)) {
    const rest = path.slice(at);
    if (at > 0 && rest.length < 2) break;
    for (const other of [/[^\p{L}\p{N}_]/gu, /[^0-9a-zA-Z_]/g]) {
      const end = rest.replace(other, "_");
      const name = body.slice(0, -end.length);
      // What is left may be the path as well.
      if (name !== "" && body.endsWith(end) && squash(name) !== squash(path.slice(0, at))) return name;
    }
  }
  return undefined;
}

/** How an id spells out method and path: "ApiTodosByIdGet", "getApiV1TodosId". */
interface Spelling {
  /** Whether a person would not have written it so. */
  isCertain: boolean;
}

function spellingOf({ operationId = "", method, path }: IdentifiedOperation): Spelling | undefined {
  const id = squash(operationId);
  // Most ids are ruled out without a pattern, which takes long to make.
  if (!id.startsWith(method) && !id.replace(/(?:collection|item)$/, "").endsWith(method)) return undefined;
  const literal = path.split("/").findLast((part) => part !== "" && !part.includes("{"));
  if (literal === undefined || !id.includes(squash(literal))) return undefined;
  const parts = [...path.matchAll(/\{([^{}]*)\}|[^{}/]+/g)];
  const front = parts.findIndex(([, parameter]) => parameter !== undefined);
  const last = (front < 0 ? parts.length : front) - 1;
  // What all paths begin with may be left out: "DeleteCollectionsId" of "/admin/collections/{id}".
  const source = parts.map(([text, parameter], at) => {
    if (parameter !== undefined) return `(?:by|and)?${squash(parameter)}`;
    return at < last && !/^v\d/i.test(text) ? `(?:${squash(text)})?` : squash(text);
  });
  const whole = `(?<base>(?:(?:api)?v\\d+)?)${source.join("")}`;
  const found = new RegExp(
    `^(?:${method}${whole}|${whole.replace("<base>", "<base2>")}${method}(?:collection|item)?)$`,
    "u",
  ).exec(id);
  if (!found || source.length === 0) return undefined;
  const { base, base2 } = found.groups ?? {};
  const isFirst = base !== undefined;
  const isWhole = parts.every(([text]) => id.includes(squash(text)));
  const isPrefixed = Boolean(base ?? base2) || /^\/(?:api|v\d+)\//i.test(path);
  const hasParameter = parts.some(([, parameter]) => parameter !== undefined);
  // "getUserById" is what people write.
  const isPlain = isFirst && wordsIn(operationId).includes("by");
  return { isCertain: isWhole && (isPrefixed || (hasParameter && !isPlain)) };
}

const isReadable = ({ operationId = "", path }: IdentifiedOperation): boolean =>
  operationId.length <= MAX_LENGTH && path.length <= MAX_LENGTH;

const isMost = (count: number, all: number): boolean => count > 0 && count >= all * MOST;

/** A function that recognises routes named by a resource and what is done: "users.index". */
function createRailsReader(ids: readonly string[]): (id: string) => GeneratedId | undefined {
  const isRails = ids.some((id) => RAILS_ONLY.test(id));
  const areRoutes = isRails && isMost(ids.filter((id) => ROUTE.test(id)).length, ids.length);
  const pattern = "resource and action";
  return (id) => {
    const [, name = "", action = ""] = RAILS.exec(id) ?? [];
    if (name !== "" && (isRails || /[#@]/.test(id)))
      return { pattern, action: wordsIn(action), subject: wordsIn(name) };
    const [, group = "", route = ""] = (areRoutes && ROUTE.exec(id)) || [];
    return isDoing(wordsIn(route)[0]) ? { pattern, action: wordsIn(route), subject: wordsIn(group) } : undefined;
  };
}

/** A function that recognises the ids of one description. */
export function createIdReader(
  operations: readonly IdentifiedOperation[],
): (one: IdentifiedOperation) => GeneratedId | undefined {
  const readable = operations.filter(isReadable);
  const ids = readable.flatMap(({ operationId }) => operationId ?? []);
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  const isPascal = isMost(ids.filter((id) => /^[A-Z][a-zA-Z0-9]*$/.test(id)).length, ids.length);
  const areOfPascal = isMost(ids.filter((id) => OF_PASCAL.test(id)).length, ids.length);
  const inFront = createPrefixReader(readable, isMost);
  const alone = ids.filter((id) => isCrudAlone(wordsIn(id))).length;
  const areAlone = alone > 1 && isMost(alone, ids.length);
  const ofRails = createRailsReader(ids);
  const anyMethod = new Map<string, number>();
  for (const id of ids) {
    const stem = OF_ANY_METHOD.exec(id)?.[1];
    if (stem !== undefined) anyMethod.set(stem, (anyMethod.get(stem) ?? 0) + 1);
  }
  const spelled = readable.filter((one) => spellingOf(one));
  const areSpelled = isMost(spelled.length, ids.length) && spelled.some(({ method }) => /^p/.test(method));
  /** Stems that a number was added to, to tell functions of one name apart. */
  const stems = new Set(ids.flatMap((id) => NUMBERED.exec(id)?.[1] ?? []).filter((stem) => counts.has(stem)));
  const unnumbered = (id: string): string => {
    const stem = NUMBERED.exec(id)?.[1];
    return stem !== undefined && counts.has(stem) ? stem : id;
  };

  const ofClass = (id: string): GeneratedId | undefined => {
    // Overloads are counted.
    const stem = COUNTED.exec(id)?.[1];
    const own = stem !== undefined && counts.has(stem) ? stem : id;
    const [, name = "", action = "", version] = OF_CLASS.exec(own) ?? [];
    if (name === "") return undefined;
    const isLeft = (word: string): boolean => word !== "async" && word !== version;
    const words = wordsIn(action).filter((word, at, all) => isLeft(word) || at < all.length - 1);
    return { pattern: "class and function", action: words, subject: wordsIn(name), ...(version && { version }) };
  };
  const ofPascal = (id: string): GeneratedId | undefined => {
    const [, name = "", plain, dotted] = (areOfPascal && OF_PASCAL.exec(id)) || [];
    const action = plain ?? dotted ?? "";
    const stem = COUNTED.exec(action)?.[1];
    const own = stem !== undefined && counts.has(`${name}_${stem}`) ? stem : action;
    return name === "" ? undefined : { pattern: GROUPED, action: wordsIn(own), subject: wordsIn(name) };
  };
  return (one) => {
    const given = one.operationId ?? "";
    if (given === "" || !isReadable(one)) return undefined;
    const stemOfAny = OF_ANY_METHOD.exec(given)?.[1] ?? "";
    const id = (anyMethod.get(stemOfAny) ?? 0) > 1 ? stemOfAny : given;
    const name = id === given ? functionOf(one) : undefined;
    if (name !== undefined) return { pattern: "function, path and method", action: wordsIn(name) };
    const [, springfox, by = ""] = SPRINGFOX.exec(id) ?? [];
    if (springfox !== undefined && by.toLowerCase() === one.method)
      return { pattern: `functionUsing${by}`, action: wordsIn(springfox) };
    if (DATA_REST.test(id) && /Resource-|Reference-|^executeSearch-/.test(id))
      return { pattern: "kind of resource, entity and method", action: [] };
    if (HASH.test(id)) return { pattern: "a hash", action: [] };
    const known = ofClass(id) ?? ofPascal(id) ?? ofRails(id) ?? inFront(one);
    if (known) return known;
    const spelling = spellingOf(one);
    if (spelling && (spelling.isCertain || areSpelled)) return { pattern: "method and path", action: [] };
    const stem = unnumbered(id);
    const words = wordsIn(stem);
    const isRepeated = (counts.get(id) ?? 0) > 1;
    const isAlone = isPascal || stems.has(stem) ? isBare(words) : (areAlone || isRepeated) && isCrudAlone(words);
    if (isAlone) return { pattern: VERB_ALONE, action: words };
    if (stems.has(stem)) return { pattern: "function and number", action: words };
    return isRepeated && (isPascal || isDoing(words[0])) ? { pattern: "function, repeated", action: words } : undefined;
  };
}
