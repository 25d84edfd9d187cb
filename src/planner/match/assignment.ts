// A candidate assignment: an entity of the prompt offered to a slot of a tool. Its score comes from the evidence around the
// entity, or from a form of words that makes the assignment by itself.
import type { Entity } from "../prompt/entities.js";
import type { Slot } from "../slots/slot.js";

/** An entity offered to a slot, and how well it fits. */
export interface Assignment {
  slot: Slot;
  entity: Entity;
  score: number;
}

/** What the forms of words are worth that make an assignment by themselves. */
export const FORMS = {
  ownerAndRepository: { weight: 2, why: "a path such as octo/hello has both parts in order" },
  keyBesideNoun: { weight: 1.5, why: "a key stands with the noun of its slot, and of no other" },
  nameOfNewRecord: { weight: 1.05, why: "a name right behind the noun of a new record, for a name it must have" },
  optionalNameOfNewRecord: { weight: 0.6, why: "the same for a name that may be left out" },
  amountBehindVerb: { weight: 0.9, why: "a number right behind the verb, for the only amount that is required" },
  placeInLowerCase: { weight: 0.9, why: "a word behind a preposition of place, for the only text there is" },
  signedWord: { weight: 0.8, why: "a sign or a list behind the name of a slot" },
  directWord: { weight: 0.55, why: "a plain word right behind the name of a slot may be part of the sentence" },
  listOfEntities: { weight: 0.6, why: "entities in a row for a list that is required" },
  inTheirOrder: { weight: 0.3, why: "slots that differ by a number take entities in the order of the prompt" },
} as const;
