// How dangerous a root field is, by the words of its name and its description: GraphQL says no more than that a query should have
// no effects. Always inferred. Source: docs/graphql.md, "Safety".
import type { Safety } from "../../domain/schema-document.js";
import { isVerb } from "../../tools/acting-words.js";
import { wordsIn } from "../http/openapi/names/english.js";
import { phrase, sentence } from "../http/openapi/safety/acting-phrase.js";

/** What makes something, or gives it other values: another call can put it right. */
const CHANGES = /^(?:create|add|insert|register|update|set|edit|rename|change|modify|patch|upsert|save)$/;
/** What ends or replaces things, and no list of verbs has. */
const ENDS = /^(?:replace|overwrite|close|archive|ban|block|merge|transfer|move|pay|charge|refund|publish)$/;

/** A mutation is destructive, unless its name only says that something is created or updated. */
function mutationSafety(field: string): Safety {
  const words = wordsIn(field);
  const isChange = [words[0], words.at(-1)].some((word) => word !== undefined && CHANGES.test(word));
  const others = words.filter((word) => !CHANGES.test(word));
  return isChange && !others.some((word) => isVerb(word) || ENDS.test(word)) ? "mutating" : "destructive";
}

/** Whether a query's name or description commands instead of asking. */
function acts(field: string, description: string): boolean {
  const named = phrase(wordsIn(field));
  return named === 3 || (named !== "reads" && sentence(description, `/${field}`) === 3);
}

/** How dangerous a root field is taken to be. */
export function rootFieldSafety(operation: "query" | "mutation", field: string, description: string): Safety {
  if (operation === "mutation") return mutationSafety(field);
  return acts(field, description) ? "mutating" : "read_only";
}
