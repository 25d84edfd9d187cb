// Runs before the page is parsed and ahead of its other scripts, which need longer to come: the colours chosen here, and the prompt of
// index.html, which is typed into and sent from the first paint on. What is sent waits in the page until state/typed-ahead.ts takes it.
// Built by itself (build/first-paint.ts), so it imports little.
import { BASE } from "./state/base.js";
import { storedTheme } from "./state/stored-theme.js";

const { dataset } = document.documentElement;

const promptOf = (target: EventTarget | null): HTMLTextAreaElement | null => {
  if (dataset["shell"] === undefined || !(target instanceof Element)) return null;
  return target.closest(".shell form")?.querySelector("textarea") ?? null;
};

function enableSend(field: HTMLTextAreaElement): void {
  const send = field.form?.querySelector<HTMLButtonElement>("[type=submit]");
  if (send) send.disabled = field.value.trim() === "";
}

/** Puts the text of the field among those that wait. */
function keep(field: HTMLTextAreaElement): void {
  const text = field.value.trim();
  const queue = document.getElementById("kept-prompts");
  if (text === "" || queue === null) return;
  const item = document.createElement("span");
  item.dir = "auto";
  item.className = "queued-text";
  item.textContent = text;
  queue.appendChild(document.createElement("li")).append(item);
  queue.parentElement?.removeAttribute("hidden");
  field.value = "";
  enableSend(field);
}

function onKey(event: KeyboardEvent): void {
  const field = promptOf(event.target);
  // While a word is being composed (Japanese, Chinese, …) Enter belongs to the input method.
  if (field === null || event.target !== field || event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  keep(field);
}

function onSubmit(event: SubmitEvent): void {
  const field = promptOf(event.target);
  if (field === null) return;
  event.preventDefault();
  keep(field);
}

function onInput({ target }: Event): void {
  const field = promptOf(target);
  if (field !== null) enableSend(field);
}

/** Puts the focus on the prompt with the first paint. On a touch screen this would open a keyboard over the page. */
function focusFirst(): void {
  if (!matchMedia("(pointer: fine)").matches) return;
  requestAnimationFrame(() => document.querySelector<HTMLTextAreaElement>(".shell textarea")?.focus());
}

dataset["theme"] = storedTheme();
if (!location.pathname.startsWith(`${BASE}/browse/`)) {
  dataset["shell"] = "";
  addEventListener("keydown", onKey);
  addEventListener("submit", onSubmit);
  addEventListener("input", onInput);
  focusFirst();
}
