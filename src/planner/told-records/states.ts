// The state that a clause says a record is in: "§ is no longer urgent", "mark § as done", "deactivate §", "take § off the newsletter". A
// clause and fields in, the field that has such a state and its value out.

import type { JsonValue } from "../../lib/json.js";
import { stem, words } from "../../tools/search/terms.js";
import type { Slot } from "../slots/slot.js";

const SET = String.raw`(?:set|mark|make|put|flag|turn|switch|change|update|move|declare|is|are|has\s+been|have\s+been|should\s+be|must\s+be|needs\s+to\s+be|has\s+to\s+be|becomes?|went|goes)`;
const STATE = new RegExp(
  String.raw`^(?<set>${SET}(?!\p{L})\s*)?(?:(?:back|as|to|to\s+be|be|now|again|already|in\s+state|to\s+status)\s+)*(?<no>(?:no\s+longer|not|isn['’]t|never\s+mind)\s+)?(?:(?:as|now|being|a|an|the)\s+)?(?<state>\p{L}[\p{L}\p{N}\s_-]*?)(?<more>\s+any\s*(?:more|longer)|\s+yet)?$`,
  "iu",
);
const OFF = /^(?:(?:take|put|switch|turn|remove|is|drop)\s+)?off\s+(?:the\s+)?(?<what>\p{L}[\p{L}\s]*)$/iu;
const ON =
  /^(?:wants?|gets?|(?:take|put|is|add|sign|switch|turn)\s+(?:up\s+for|on|onto|to)|signs?\s+up\s+for|subscribes?\s+to)\s+(?:the\s+)?(?<what>\p{L}[\p{L}\s]*)$/iu;
const VERB = /^(?<verb>\p{L}{3,})$/u;
/** What a switch is not: "inactive", "unpaid", "deactivate". */
const OPPOSITE = /^(?:in|un|de|dis|non-?)(?=\p{L}{3})/u;
/** A verb that does again what was undone. */
const AGAIN = /^re-?(?=\p{L}{3})/u;
const OPENED: Readonly<Record<string, string>> = { open: "close", close: "open", clos: "open" };

const termsOf = (text: string): string => words(text).map(stem).join(" ");
const labelOf = ({ name }: Slot): string => termsOf(name.replace(/^(?:is|has)_?(?=[A-Z_a-z]{3})/, ""));

/** Whether a switch is called by a state or by what it is not; undefined where it is neither. */
function isSwitched(slot: Slot, state: string): boolean | undefined {
  const label = labelOf(slot);
  const said = termsOf(state);
  if (said === label) return true;
  const plain = state.trim().toLowerCase();
  if (OPPOSITE.test(plain) && termsOf(plain.replace(OPPOSITE, "")) === label) return false;
  if (OPENED[said] !== undefined && termsOf(OPENED[said]) === label) return false;
  return undefined;
}

interface Setting {
  slot: Slot;
  value: JsonValue;
}

const switchesFor = (state: string, slots: readonly Slot[]): { slot: Slot; value: boolean }[] =>
  slots
    .filter(({ type }) => type === "boolean")
    .flatMap((slot) => {
      const value = isSwitched(slot, state);
      return value === undefined ? [] : [{ slot, value }];
    });

const optionsFor = (slots: readonly Slot[], meets: (option: string) => boolean): Setting[] =>
  slots
    .filter(({ type }) => type === "string")
    .flatMap((slot) =>
      slot.options.filter((option) => meets(words(String(option)).join(" "))).map((value) => ({ slot, value })),
    );

/** What a verb leads to: "retire §", "deactivate §", "cancel §". */
function byVerb(verb: string, slots: readonly Slot[]): Setting[] {
  const plain = verb.toLowerCase();
  const states = switchesFor(plain, slots);
  if (states.length > 0) return states;
  const again = AGAIN.test(plain) ? switchesFor(plain.replace(AGAIN, ""), slots) : [];
  if (again.length > 0) return again;
  return optionsFor(slots, (option) => /^\p{L}+ed$/u.test(option) && stem(option) === stem(plain) && option !== plain);
}

/** The state that a clause says; `isTold` where something else in the prompt says that it is new. */
export function stateIn(
  { text, clause, isTold }: { text: string; clause: string; isTold: boolean },
  { slots, acts }: { slots: readonly Slot[]; acts: ReadonlySet<string> },
): Setting[] {
  const off = OFF.exec(text)?.groups?.["what"];
  if (off !== undefined) {
    const named = switchesFor(`on ${off}`, slots);
    return (named.length > 0 ? named : switchesFor(off, slots)).map(({ slot }) => ({ slot, value: false }));
  }
  const on = ON.exec(text)?.groups?.["what"];
  const wanted = on === undefined ? [] : switchesFor(on, slots);
  if (wanted.length > 0) return wanted;
  // "retire §" commands it, "§ retired" may ask.
  const verb = /^\p{L}+\s+§/u.test(clause) ? VERB.exec(text)?.groups?.["verb"] : undefined;
  if (verb !== undefined) return acts.has(stem(verb.toLowerCase())) ? [] : byVerb(verb, slots);
  const { set, no, state = "", more } = STATE.exec(text)?.groups ?? {};
  if (state === "" || (set === undefined && no === undefined && !isTold) || (more !== undefined && no === undefined))
    return [];
  const said = words(state).join(" ");
  const options = no === undefined ? optionsFor(slots, (option) => option === said) : [];
  const states = switchesFor(state, slots).map(({ slot, value }) => ({
    slot,
    value: no === undefined ? value : !value,
  }));
  return [...options, ...states];
}
