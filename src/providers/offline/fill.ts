// Filling a tool's arguments from a prompt: every slot gets the value the prompt says is its own; what is needed and not said
// stays missing, to be asked for. Pure.
import type { JsonObject, JsonValue } from "../../json.js";
import { intentsOf } from "../../rank/synonyms.js";
import { isStopWord, stem, words } from "../../rank/terms.js";
import type { Tool } from "../../tool.js";
import { evidence, labelsOf } from "./evidence.js";
import { chooseOption, readSwitch } from "./options.js";
import type { PromptText } from "./prompt.js";
import { fit, pathNames, place, type Slot, slotsOf } from "./slots.js";
import type { Value } from "./values.js";

/** A tool's arguments, as far as the prompt gives them. */
export interface Filled {
  args: JsonObject;
  /** Needed, and not in the prompt. */
  missing: Slot[];
  /** The values that went into arguments. */
  used: Set<Value>;
  /** Slots that got a value for a reason in the prompt, not for want of another. */
  certain: Set<Slot>;
  /** Every slot that has a value. */
  filled: Set<Slot>;
}

/** An optional slot takes a value only when the prompt as good as says so. */
const OPTIONAL = 0.5;
const REQUIRED = 0.3;

/** What an id of a tool's path belongs to: the word before it, and the resource. */
export function ownerOf(slot: Slot, tool: Tool): string[] {
  const path = tool.transport.path ?? "";
  const before = path
    .split(`{${slot.name}}`)[0]
    ?.split("/")
    .filter((part) => part !== "" && !part.startsWith("{"));
  const segment = path.includes(`{${slot.name}}`) ? before?.at(-1) : undefined;
  return words(segment ?? tool.resource).map(stem);
}

interface Bid {
  slot: Slot;
  value: Value;
  score: number;
}

function bids(slots: readonly Slot[], tool: Tool, prompt: PromptText): Bid[] {
  const out: Bid[] = [];
  for (const slot of slots) {
    if (slot.type === "boolean" || slot.type === "object") continue;
    const labels = labelsOf(slot, ownerOf(slot, tool));
    for (const value of prompt.values) {
      if (fit(slot, value.value) === undefined) continue;
      const score = evidence(slot, value, prompt, labels);
      if (score >= (slot.required ? REQUIRED : OPTIONAL)) out.push({ slot, value, score });
    }
  }
  // Equal bids keep the order of the schema and of the prompt: "sides 3, 4 and 5".
  return out.sort((a, b) => b.score - a.score);
}

/** "octo/hello" for a tool that takes an owner and a repository. */
function splitPaths(slots: readonly Slot[], prompt: PromptText): Bid[] {
  const path = prompt.values.find(({ kind }) => kind === "path");
  const [first, second] = String(path?.value ?? "").split("/");
  const repo = slots.find(({ name }) => /^(?:repo|repository|project|name)$/i.test(name));
  const owner = slots.find(({ name }) => /^(?:owner|org|organization|user|namespace|group)$/i.test(name));
  if (!path || !first || !second || !repo || !owner?.required || !repo.required) return [];
  return [
    { slot: owner, value: { ...path, value: first }, score: 2 },
    { slot: repo, value: { ...path, value: second }, score: 2 },
  ];
}

function listBids(slots: readonly Slot[], prompt: PromptText): Bid[] {
  const out: Bid[] = [];
  for (const slot of slots) {
    if (slot.type !== "array" || !slot.required) continue;
    for (const run of runsOf(prompt, slot)) {
      const [first] = run;
      const last = run.at(-1);
      if (!first || !last || run.length < 2) continue;
      const text = prompt.text.slice(first.start, last.end);
      const value = { ...first, value: run.map((one) => one.value), text, end: last.end, kind: "list" as const };
      if (fit(slot, value.value) !== undefined) out.push({ slot, value, score: 0.6 });
    }
  }
  return out;
}

/** Values of one kind in a row: "3, 4, and 5". */
function runsOf(prompt: PromptText, slot: Slot): Value[][] {
  const wanted = slot.items === "number" || slot.items === "integer" ? ["number"] : ["quoted", "name", "id"];
  const runs: Value[][] = [];
  for (const value of prompt.values) {
    if (!wanted.includes(value.kind)) continue;
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && /^[\s,;]*(?:and|or|&)?\s*$/i.test(prompt.text.slice(last.end, value.start))) run.push(value);
    else runs.push([value]);
  }
  return runs;
}

const LABEL_ONLY = /^(?:id|name|value|text|type|key|data|body|content|title)$/;

/**
 * A plain word beside the name of a slot: "label bug", "status: paid", "category = tools". Without a sign between only where
 * something is made or changed: in a question the next word is rarely a value.
 */
function besideLabels(slots: readonly Slot[], tool: Tool, prompt: PromptText): Bid[] {
  const out: Bid[] = [];
  const own = new Set([...words(tool.name), ...words(tool.transport.path ?? "")].map(stem));
  for (const slot of slots) {
    const kind = slot.type === "array" ? slot.items : slot.type;
    const label = slot.label.at(-1);
    if (kind !== "string" || slot.options.length > 0 || label === undefined) continue;
    prompt.tokens.forEach((token, i) => {
      const next = prompt.tokens[i + 1];
      if (token.term !== label || !next) return;
      const gap = prompt.text.slice(token.end, next.start);
      const signed = /^\s*[:=]\s*$/.test(gap);
      const direct = gap === " " && tool.safety !== "read_only" && !LABEL_ONLY.test(token.word) && !own.has(next.term);
      if (!signed && !(direct && !isStopWord(next.word) && intentsOf(next.term).size === 0)) return;
      const text = prompt.text.slice(next.start, next.end);
      const value: Value = { kind: "quoted", value: text, text, start: next.start, end: next.end };
      if (fit(slot, text) !== undefined) out.push({ slot, value, score: signed ? 0.8 : 0.55 });
    });
  }
  return out;
}

function leftovers(slots: readonly Slot[], prompt: PromptText, filled: Filled): void {
  const free = prompt.values.filter((value) => ![...filled.used].some((used) => overlaps(used, value)));
  const open = slots.filter((slot) => slot.required && !filled.filled.has(slot));
  const taken = new Set<Value>();
  for (const slot of open) {
    const order: Value["kind"][] =
      slot.type === "number" || slot.type === "integer"
        ? ["number"]
        : slot.type === "array"
          ? ["list", "quoted", "name", "number", "id"]
          : ["quoted", "name", "id", "url", "email"];
    const plain = free.some(({ kind, text }) => kind === "number" && /\d/.test(text));
    const candidates = free
      .filter((value) => value.kind !== "number" || !plain || /\d/.test(value.text))
      .filter((value) => !taken.has(value) && order.includes(value.kind));
    const value = candidates
      .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || a.start - b.start)
      .find((one) => fit(slot, one.value) !== undefined);
    if (!value) continue;
    taken.add(value);
    put(filled, slot, fit(slot, value.value));
    filled.used.add(value);
  }
}

/** "5%" is 0.05 to a parameter that takes fractions and does not speak of percent. */
function asRate(slot: Slot, value: Value): JsonValue {
  const { value: number } = value;
  if (value.sign !== "%" || slot.type !== "number" || typeof number !== "number") return number;
  return /percent|%/i.test(`${slot.name} ${slot.description}`) ? number : Number((number / 100).toPrecision(12));
}

function overlaps(a: Value, b: Value): boolean {
  return a.start < b.end && b.start < a.end;
}

function put(filled: Filled, slot: Slot, value: JsonValue | undefined): void {
  if (value === undefined) return;
  place(filled.args, slot.path, value);
  filled.filled.add(slot);
}

/** Fills what the prompt says. `guess` also gives leftover values to needed slots, in order. */
export function fill(tool: Tool, prompt: PromptText, options: { guess: boolean }): Filled {
  const slots = slotsOf(tool);
  const filled: Filled = { args: {}, missing: [], used: new Set(), certain: new Set(), filled: new Set() };
  const split = splitPaths(slots, prompt);
  const plain = bids(slots, tool, prompt).filter(({ value }) => split.length === 0 || value.kind !== "path");
  const all = [...split, ...listBids(slots, prompt), ...plain, ...besideLabels(slots, tool, prompt)];
  for (const slot of slots) {
    if (slot.options.length === 0 && slot.type !== "boolean") continue;
    const chosen = slot.type === "boolean" ? readSwitch(slot, tool, prompt) : chooseOption(slot, tool, prompt);
    if (chosen === undefined) continue;
    put(filled, slot, slot.type === "array" ? [chosen] : chosen);
    filled.certain.add(slot);
  }
  for (const { slot, value } of all.sort((a, b) => b.score - a.score)) {
    if (filled.filled.has(slot)) continue;
    const same = [...filled.used].some((used) => overlaps(used, value) && used.value === value.value);
    const other = [...filled.used].some((used) => overlaps(used, value) && value.kind !== "path");
    if (same || other) continue;
    put(filled, slot, fit(slot, asRate(slot, value)));
    filled.used.add(value);
    filled.certain.add(slot);
  }
  if (options.guess) leftovers(slots, prompt, filled);
  for (const slot of slots) {
    if (!slot.required || filled.filled.has(slot)) continue;
    const preset = slot.schema["default"];
    if (preset !== undefined && preset !== null && !pathNames(tool).has(slot.name)) put(filled, slot, preset);
    else filled.missing.push(slot);
  }
  return filled;
}
