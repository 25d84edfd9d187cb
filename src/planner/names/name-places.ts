// Where the names of records stand in a prompt.
import type { Entity } from "../prompt/entities.js";
import { oncePerEntity, oncePerPrompt, type PromptText } from "../prompt/prompt.js";

/** A text as names are compared, each letter at its place: a capital whose small letter is longer stays. */
function fold(text: string): string {
  const small = text.toLowerCase();
  const same = small.length === text.length ? small : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return same.replace(/[’‘]/g, "'").replace(/\s/g, " ");
}

const foldedText = oncePerPrompt(({ text }) => fold(text));

/** Names of records with what each may look like in a prompt: an accent is part of its letter, or a sign behind it. */
const foldedNames = oncePerPrompt(() => new Map<string, readonly string[]>());

function formsOf(called: string, prompt: PromptText): readonly string[] {
  const known = foldedNames(prompt);
  let forms = known.get(called);
  if (!forms) {
    forms = [...new Set([called, called.normalize("NFC"), called.normalize("NFD")].map(fold))];
    known.set(called, forms);
  }
  return forms;
}

/** Where a name of the prompt begins without the verb that the prompt begins with, which is no part of it. */
const behindVerb = oncePerEntity(({ tokens }, { start }) =>
  tokens[0]?.start === start ? (tokens[1]?.start ?? start) : start,
);

/** Where the name of a record stands in a prompt, if it has the whole of `name` in it: a title may begin with "The". */
export function namePlace(
  called: string,
  prompt: PromptText,
  name: Entity,
): { start: number; end: number } | undefined {
  const { text } = prompt;
  const last = behindVerb(prompt, name);
  for (const form of formsOf(called, prompt)) {
    const { length } = form;
    if (length < name.end - last) continue;
    const from = Math.max(0, name.end - length);
    const near = foldedText(prompt).slice(from, last + length);
    for (let at = length > 0 ? near.indexOf(form) : -1; at >= 0; at = near.indexOf(form, at + 1)) {
      const [start, end] = [from + at, from + at + length];
      const isWord = !/[\p{L}\p{N}]/u.test(text[start - 1] ?? "") && !/[\p{L}\p{N}]/u.test(text[end] ?? "");
      if (isWord && end >= name.end && (start <= name.start || start === last)) return { start, end };
    }
  }
  return undefined;
}

/** A place with the quotes around it. */
export function withQuotes({ start, end }: { start: number; end: number }, { text }: PromptText) {
  const isQuoted = /["“'‘`«]/.test(text[start - 1] ?? "") && /["”'’`»]/.test(text[end] ?? "");
  return isQuoted ? { start: start - 1, end: end + 1 } : { start, end };
}
