// From scored candidates to a choice: call, ask for what is missing, ask which one, or decline. The doubtful case declines: a
// decline costs a sentence, a wrong change costs data.

import { ownName } from "../../domain/tool.js";
import type { Request } from "../prompt/request.js";
import { resourceNoun } from "../resource-noun.js";
import { pathNames } from "../slots/slot.js";
import type { Candidate } from "./candidates.js";
import { intentOfTool } from "./tool-intent.js";

/** What a prompt means among the tools. */
export type ToolChoice =
  | { kind: "call"; candidate: Candidate }
  | { kind: "ask"; candidate: Candidate }
  | { kind: "which"; candidates: Candidate[] }
  /** Several applications have a tool for it, and the prompt names none. */
  | { kind: "which application"; candidates: Candidate[] }
  /** A read that may be meant, with all it needs. */
  | { kind: "offer"; candidate: Candidate }
  | { kind: "decline"; near: Candidate[] };

/** Below this a tool is not meant. */
const READ_SCORE = 0.85;
const CHANGE_SCORE = 1;
/** From here on a read is worth a question. */
const OFFER_SCORE = 0.6;
/** How far a change must lead the next one. */
const MARGIN = 0.06;
/** A change of whose name the prompt has less than this is not meant. */
const CHANGE_NAMED = 0.3;

/** How far a PATCH may be behind the PUT of its path and still be taken: it cannot lose a field. */
const PATCH_LAG = 0.2;

/** PUT and PATCH of the same path are one choice, and so is a tool under two names. */
function isTwin(a: Candidate, b: Candidate): boolean {
  const { path } = a.tool.transport;
  const isSameRecord = path !== undefined && path === b.tool.transport.path && isSameApplication(a, b);
  return isSameRecord && intentOfTool(a.tool) === intentOfTool(b.tool);
}

const isSameApplication = (a: Candidate, b: Candidate): boolean => a.tool.application === b.tool.application;

/** How far the tool of another application may be behind, and the prompt may mean it just as well. */
const APPLICATION_LAG = 0.25;

/** The tools of other applications that do the same: of the same name, or the same to records of the same noun. */
function counterparts(best: Candidate, candidates: readonly Candidate[]): Candidate[] {
  const doesSame = ({ tool }: Candidate): boolean =>
    ownName(tool) === ownName(best.tool) ||
    (tool.verb === best.tool.verb &&
      intentOfTool(tool) === intentOfTool(best.tool) &&
      resourceNoun(tool) === resourceNoun(best.tool));
  const others = candidates.filter((one) => !isSameApplication(one, best) && doesSame(one));
  // One of each is enough to ask by.
  return others.filter(
    (one, at) =>
      best.score - one.score < APPLICATION_LAG && others.findIndex((other) => isSameApplication(other, one)) === at,
  );
}

/** Chooses among candidates, best first. */
export function chooseTool(candidates: readonly Candidate[], request: Request): ToolChoice {
  const near = candidates.slice(0, 3);
  let [best] = candidates;
  if (!best) return { kind: "decline", near };
  const changes = best.tool.safety !== "read_only";
  const isOffered =
    !changes && best.score >= OFFER_SCORE && best.filled.missing.length === 0 && request.reads && !request.negated;
  if (best.score < READ_SCORE && isOffered) return { kind: "offer", candidate: best };
  if (best.score < (changes ? CHANGE_SCORE : READ_SCORE)) return { kind: "decline", near };
  if (changes) {
    const isNamed = best.named >= CHANGE_NAMED || best.covered >= CHANGE_NAMED || best.referred;
    if (!isNamed && !(best.stateCommanded && best.filled.missing.length === 1)) return { kind: "decline", near };
    const first = best;
    const partial = candidates.find((one) => isTwin(one, first) && one.tool.transport.method === "PATCH");
    if (partial && best.tool.transport.method === "PUT" && partial.score > best.score - PATCH_LAG) best = partial;
  }
  const chosen = best;
  const elsewhere = counterparts(chosen, candidates);
  if (elsewhere.length > 0) return { kind: "which application", candidates: [chosen, ...elsewhere] };
  const isComplete = chosen.filled.missing.length === 0;
  const rival = candidates.find(
    (one) =>
      one !== chosen &&
      !isTwin(one, chosen) &&
      one.tool.safety !== "read_only" &&
      // "remove product 3" gives all that one of them needs, and no key of the order that the other is about.
      !(isComplete && one.filled.missing.some(({ name }) => pathNames(one.tool).has(name))),
  );
  if (changes && rival && chosen.score - rival.score < MARGIN) return { kind: "which", candidates: [chosen, rival] };
  if (request.howTo && changes) return { kind: "decline", near };
  return best.filled.missing.length > 0 ? { kind: "ask", candidate: best } : { kind: "call", candidate: best };
}
