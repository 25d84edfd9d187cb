// Where the name of a record stands in a question that has nothing else but a verb: "who looks after hut 4", "what does anna drive",
// "where is vesta kept". Text in, the place of the name and the verb out.

import { oncePerPrompt, type PromptText } from "../prompt/prompt.js";

/** A question of who, what or where that names one record. */
interface RecordQuestion {
  asks: "who" | "what" | "where";
  /** Its verb, as it stands there; none in "where is vesta". */
  verb: string;
  /** Where the name stands. */
  start: number;
  end: number;
}

const NAME = String.raw`(?<name>[\p{L}\p{N}][\p{L}\p{N}'’.-]*(?:\s+[\p{L}\p{N}][\p{L}\p{N}'’.-]*){0,3}?)`;
/** Whoever does so has it in his or her hands. */
const CARE =
  "looks after|takes care of|is looking after|is taking care of|cares for|sees to|is responsible for|is in charge of|is the one responsible for";
const FORMS = [
  new RegExp(String.raw`^\s*(?<asks>who)\s+(?<verb>${CARE}|\p{Ll}{2,}s)\s+(?:the\s+|our\s+)?${NAME}[\s?.!]*$`, "iu"),
  new RegExp(String.raw`^\s*(?<asks>what)\s+(?:does|did)\s+${NAME}\s+(?<verb>\p{Ll}{3,})[\s?.!]*$`, "iu"),
  new RegExp(String.raw`^\s*(?<asks>where)(?:['’]s|\s+is)\s+${NAME}\s+(?<verb>\p{Ll}{2,}(?:ed|ept))[\s?.!]*$`, "iu"),
];
/** Words that are part of no name of a record. */
const NO_NAME =
  /^(?:the|an?|my|your|his|her|their|its|it|him|them|us|me|you|he|she|they|we|i|this|that|these|those|every|each|all|any|some|most|more|no|to|in|on|at|for|of|by|from|with|about|into|out|up|down|here|there|now|today|and|or)$/i;
/** What such verbs say is no matter of an application, or of another kind than who has a record in hand. */
const OTHER_VERB =
  /^(?:is|was|be|has|have|do|does|go|goes|misses?|(?:like|love|hate|know|think|want|need|win|say|tell|ask|call|pay|owe|cost|live|sleep|come|get|give|see|hear|feel|mean|care|mind|make|use|remember|exist|stand|look|weigh|contain|include|happen|work|start|end|open|close|begin)s?)$/i;

/** The question that a prompt is; undefined for any other. */
export function recordQuestionIn(text: string): RecordQuestion | undefined {
  if (text.length > 100) return undefined;
  for (const form of FORMS) {
    const { asks = "", verb = "", name = "" } = form.exec(text)?.groups ?? {};
    if (name === "" || name.split(/\s+/).some((word) => NO_NAME.test(word)) || OTHER_VERB.test(verb)) continue;
    const start = text.lastIndexOf(name, asks === "who" ? text.length : text.length - verb.length);
    return {
      asks: asks.toLowerCase() as RecordQuestion["asks"],
      verb: verb.toLowerCase(),
      start,
      end: start + name.length,
    };
  }
  return undefined;
}

export const recordQuestion = oncePerPrompt(({ text }: PromptText) => recordQuestionIn(text));

const IS_CARE = new RegExp(`^(?:${CARE})$`, "i");

/** Whether a question asks who has a record in hand, which the only person it refers to does; any other verb may be another's. */
export const asksWhoCares = (prompt: PromptText): boolean => {
  const { asks, verb = "" } = recordQuestion(prompt) ?? {};
  return asks === "who" && IS_CARE.test(verb);
};
