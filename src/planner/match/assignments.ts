// Which value of a prompt belongs to which slot of a tool: every likely pair, with how far the prompt says so.

import type { Tool } from "../../domain/tool.js";
import { intentsOf } from "../../tools/search/synonyms.js";
import { isStopWord, stem, terms, words } from "../../tools/search/terms.js";
import { countryCode } from "../prompt/countries.js";
import type { Entity } from "../prompt/entities.js";
import type { PromptText } from "../prompt/prompt.js";
import { resourceNoun } from "../resource-noun.js";
import { normalise } from "../slots/normalise.js";
import { keysOf, type Slot } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";
import { cannotBeKey, hintsOf, isPartlyNamed, labelsOf, scoreEvidence } from "./evidence.js";

/** An optional slot takes a value only when the prompt as good as says so. */
const OPTIONAL = 0.5;
const REQUIRED = 0.3;

/** What an id of a tool's path belongs to: the word before it, and the resource. */
export function ownerTerms(slot: Slot, tool: Tool): string[] {
  const path = tool.transport.path ?? "";
  const before = path
    .split(`{${slot.name}}`)[0]
    ?.split("/")
    .filter((part) => part !== "" && !part.startsWith("{"));
  const segment = path.includes(`{${slot.name}}`) ? before?.at(-1) : undefined;
  return words(segment ?? tool.resource).map(stem);
}

/** A value offered to a slot, and how well it fits. */
interface Assignment {
  slot: Slot;
  value: Entity;
  score: number;
}

const known = new WeakMap<Tool, ReadonlySet<string>>();

/** The terms of a tool's name and description, worked out once a tool. */
function toolTerms(tool: Tool): ReadonlySet<string> {
  let said = known.get(tool);
  if (!said) known.set(tool, (said = new Set([...terms(tool.name), ...terms(tool.description)])));
  return said;
}

/** A name that is only what the tool is about ("a joke about Chuck Norris" to a tool of such jokes). */
export function isTopic(value: Entity, tool: Tool): boolean {
  if (value.kind !== "name") return false;
  const own = toolTerms(tool);
  return terms(value.text).every((term) => own.has(term));
}

/** A value bound this well is meant for the slot whatever else it may be. */
const BOUND = 0.8;

function labelledAssignments(slots: readonly Slot[], tool: Tool, prompt: PromptText): Assignment[] {
  const out: Assignment[] = [];
  const keys = new Set(keysOf(tool));
  const country = slots.find(({ name }) => /^country$|^country_?(?:code|name)$/i.test(name));
  for (const slot of slots) {
    if (slot.type === "boolean" || slot.type === "object") continue;
    const labels = labelsOf(slot, ownerTerms(slot, tool));
    const others = slots.filter((other) => other !== slot);
    let hints: Set<string> | undefined;
    for (const value of prompt.entities) {
      if (
        toSlotValue(slot, normalise(slot, value)) === undefined ||
        (keys.has(slot) && cannotBeKey(slot, tool, value, prompt))
      )
        continue;
      if (country && slot !== country && value.kind === "name" && countryCode(value.text)) continue;
      if (!slot.required && tool.safety !== "read_only" && isPartlyNamed(slot, value, prompt)) continue;
      hints ??= hintsOf(slot, others, prompt);
      const score = scoreEvidence(slot, value, prompt, { labels, hints });
      if (score < BOUND && isTopic(value, tool)) continue;
      if (score >= (slot.required ? REQUIRED : OPTIONAL)) out.push({ slot, value, score });
    }
  }
  inOrder(out);
  return out;
}

/** Slots that differ by a number only (side1, side2) take their values in the order they are said. */
function inOrder(all: Assignment[]): void {
  const groups = new Map<string, Assignment[]>();
  for (const bid of all) {
    if (!/\d$/.test(bid.slot.name)) continue;
    const key = bid.slot.name.replace(/\d+$/, "");
    groups.set(key, [...(groups.get(key) ?? []), bid]);
  }
  for (const group of groups.values()) {
    const siblings = [...new Set(group.map(({ slot }) => slot))];
    const values = [...new Set(group.map(({ value }) => value))].sort((a, b) => a.start - b.start);
    if (siblings.length < 2 || values.length < siblings.length) continue;
    // With more values than slots the best ones are meant, still in their order.
    const scores = new Map<Entity, number>();
    for (const { value, score } of group)
      scores.set(value, Math.max(score, scores.get(value) ?? Number.NEGATIVE_INFINITY));
    const best = (value: Entity): number => scores.get(value) ?? 0;
    const chosen = [...values].sort((a, b) => best(b) - best(a)).slice(0, siblings.length);
    const order = chosen.sort((a, b) => a.start - b.start);
    for (const bid of group)
      bid.score = order.indexOf(bid.value) === siblings.indexOf(bid.slot) ? best(bid.value) + 0.3 : 0;
  }
}

/** "octo/hello" for a tool that takes an owner and a repository. */
function splitPaths(slots: readonly Slot[], prompt: PromptText): Assignment[] {
  const path = prompt.entities.find(({ kind }) => kind === "path");
  const [first, second] = String(path?.value ?? "").split("/");
  const repo = slots.find(({ name }) => /^(?:repo|repository|project|name)$/i.test(name));
  const owner = slots.find(({ name }) => /^(?:owner|org|organization|user|namespace|group)$/i.test(name));
  if (!path || !first || !second || !repo || !owner?.required || !repo.required) return [];
  return [
    { slot: owner, value: { ...path, value: first }, score: 2 },
    { slot: repo, value: { ...path, value: second }, score: 2 },
  ];
}

function listAssignments(slots: readonly Slot[], prompt: PromptText): Assignment[] {
  const out: Assignment[] = [];
  for (const slot of slots) {
    if (slot.type !== "array" || !slot.required) continue;
    for (const run of entityRuns(prompt, slot)) {
      const [first] = run;
      const last = run.at(-1);
      if (!first || !last || run.length < 2) continue;
      const text = prompt.text.slice(first.start, last.end);
      const value = { ...first, value: run.map((one) => one.value), text, end: last.end, kind: "list" as const };
      if (toSlotValue(slot, value.value) !== undefined) out.push({ slot, value, score: 0.6 });
    }
  }
  return out;
}

/** Values of one kind in a row: "3, 4, and 5". */
export function entityRuns(prompt: PromptText, slot: Slot): Entity[][] {
  const wanted = slot.items === "number" || slot.items === "integer" ? ["number"] : ["quoted", "name", "id"];
  const runs: Entity[][] = [];
  for (const value of prompt.entities) {
    if (!wanted.includes(value.kind)) continue;
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && /^[\s,;]*(?:(?:and|or|&)\s*)?$/i.test(prompt.text.slice(last.end, value.start))) run.push(value);
    else runs.push([value]);
  }
  return runs;
}

const LABEL_ONLY = /^(?:id|name|value|text|type|key|data|body|content|title)$/;

/** Whether the word at `at` ends its clause and is not one the tool itself speaks in: "label bug to issue 12". */
function isDirect(tool: Tool, slot: Slot, prompt: PromptText, at: number): boolean {
  const word = prompt.tokens[at];
  const after = prompt.tokens[at + 1];
  if (!word || tool.safety === "read_only" || isStopWord(word.word) || intentsOf(word.term).size > 0) return false;
  if (terms(`${slot.description} ${tool.description}`).includes(word.term) || /ing$/.test(word.word)) return false;
  return after === undefined || isStopWord(after.word) || /[.,;]/.test(prompt.text.slice(word.end, after.start));
}

/** The whole word or quoted text that begins at `at`: "sci-fi" is one. */
function wordAt(at: number, prompt: PromptText): { text: string; start: number; end: number } {
  const quoted = prompt.entities.find(({ kind, start, end }) => kind === "quoted" && start <= at && at < end);
  if (quoted) return quoted;
  const text = (/^[^\s,;"“”]+/.exec(prompt.text.slice(at))?.[0] ?? "").replace(/[.!?:)]+$/, "");
  return { text, start: at, end: at + text.length };
}

/** The items of a list of plain words: "a and b", "a, b and c"; it ends where another parameter is named. */
function itemsFrom(
  at: number,
  prompt: PromptText,
  others: ReadonlySet<string>,
): { text: string; start: number; end: number }[] {
  const items = [wordAt(at, prompt)];
  for (;;) {
    const { end = at } = items.at(-1) ?? {};
    const gap = /^["”]?\s*(?:,\s*(?:and\s+|or\s+)?|(?:and|or|&)\s+)["“]?/i.exec(prompt.text.slice(end))?.[0];
    const next = gap === undefined ? undefined : prompt.tokens.find(({ start }) => start === end + gap.length);
    if (!next || others.has(next.term) || isStopWord(next.word) || intentsOf(next.term).size > 0) return items;
    items.push(wordAt(next.start, prompt));
  }
}

/**
 * A plain word beside the name of a slot: "label bug", "status: paid", "category = tools". Without a sign between only where
 * something is made or changed: in a question the next word is rarely a value.
 */
function wordsBesideLabels(slots: readonly Slot[], tool: Tool, prompt: PromptText): Assignment[] {
  const out: Assignment[] = [];
  const own = new Set([...words(tool.name), ...words(tool.transport.path ?? "")].map(stem));
  for (const slot of slots) {
    const kind = slot.type === "array" ? slot.items : slot.type;
    const label = slot.label.at(-1);
    if (kind !== "string" || slot.options.length > 0 || label === undefined) continue;
    const others = new Set(slots.flatMap((other) => (other === slot ? [] : other.label)));
    prompt.tokens.forEach((token, i) => {
      const next = prompt.tokens[i + 1];
      if (token.term !== label || !next) return;
      const key = prompt.entities.find(({ start }) => start === next.start);
      if (key && !slot.required && tool.safety !== "read_only" && isPartlyNamed(slot, key, prompt)) return;
      const gap = prompt.text.slice(token.end, next.start);
      const signed = /^\s*[:=]\s*$/.test(gap);
      const direct = gap === " " && isDirect(tool, slot, prompt, i + 1) && !own.has(next.term);
      if (!signed && !(direct && !LABEL_ONLY.test(token.word))) return;
      const items = slot.type === "array" ? itemsFrom(next.start, prompt, others) : [wordAt(next.start, prompt)];
      const [first] = items;
      const last = items.at(-1);
      if (!first || !last) return;
      const { start } = first;
      const text = prompt.text.slice(start, last.end);
      const taken = items.length === 1 ? first.text : items.map((item) => item.text);
      const kind = items.length === 1 ? ("quoted" as const) : ("list" as const);
      const value: Entity = { kind, value: taken, text, start, end: last.end };
      if (toSlotValue(slot, taken) !== undefined)
        out.push({ slot, value, score: signed || items.length > 1 ? 0.8 : 0.55 });
    });
  }
  return out;
}

/** "a customer Jane Doe": what stands right behind the kind of a new thing is its name. */
function nameBesideNoun(slots: readonly Slot[], tool: Tool, prompt: PromptText): Assignment[] {
  const slot = slots.find(({ name, path }) => path.length === 1 && /^(?:full_?|display_?)?(?:name|title)$/i.test(name));
  if (tool.verb !== "create" || !slot) return [];
  const thing = stem(resourceNoun(tool));
  return prompt.entities.flatMap((value) => {
    const before = prompt.tokens.findLast(({ end }) => end <= value.start);
    const gap = before && prompt.text.slice(before.end, prompt.text.indexOf(value.text, before.end));
    const fits =
      (value.kind === "name" || value.kind === "quoted") && before?.term === thing && /^[\s:"“'‘`]+$/.test(gap ?? "");
    return fits && toSlotValue(slot, value.value) !== undefined
      ? [{ slot, value, score: slot.required ? 1.05 : 0.6 }]
      : [];
  });
}

/** Every likely pair of a slot and a value, best first; equal ones in the order of the schema and of the prompt. */
export function candidateAssignments(slots: readonly Slot[], tool: Tool, prompt: PromptText): Assignment[] {
  const split = splitPaths(slots, prompt);
  const plain = labelledAssignments(slots, tool, prompt).filter(
    ({ value }) => split.length === 0 || value.kind !== "path",
  );
  return [
    ...split,
    ...listAssignments(slots, prompt),
    ...plain,
    ...nameBesideNoun(slots, tool, prompt),
    ...wordsBesideLabels(slots, tool, prompt),
  ]
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}
