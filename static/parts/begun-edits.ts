// Edits of held calls that were begun and not decided yet, by the ids of their confirmations: a card moves into a table of several and out
// of it, its row is closed and opened, and a table must not decide what a person is still changing.
import { computed, signal } from "@preact/signals";
import type { ArgumentsEdit } from "./edit-arguments.js";

const begun = signal<ReadonlyMap<string, ArgumentsEdit>>(new Map());

/** The arguments of a held call as they are being edited; null while they are not. */
export const editOf = (id: string): ArgumentsEdit | null => begun.value.get(id) ?? null;

/** The held calls whose arguments are being edited. */
export const editedIds = computed(() => new Set(begun.value.keys()));

/** Keeps an edit; null takes it back. */
export function keepEdit(id: string, edit: ArgumentsEdit | null): void {
  const next = new Map(begun.peek());
  if (edit === null) next.delete(id);
  else next.set(id, edit);
  begun.value = next;
}
