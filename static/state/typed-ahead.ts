// What was typed and sent in the page before this script was there (early.ts): it is taken over once, before the first rendering, and
// becomes the draft and the waiting prompts of the conversation that the address names.
import { current, sendPrompt } from "./conversations.js";
import { storedDraft } from "./drafts.js";
import { view } from "./route.js";

/** Takes it out of the page. What is left in the root are elements that the rendering goes on with. */
export function takeTypedAhead(root: Element): void {
  delete document.documentElement.dataset["shell"];
  if (view.peek().kind !== "chat") {
    root.replaceChildren();
    return;
  }
  const text = root.querySelector<HTMLTextAreaElement>("#prompt")?.value ?? "";
  const queue = root.querySelector("#kept-prompts");
  const prompts = Array.from(queue?.children ?? [], (item) => item.textContent);
  queue?.parentElement?.remove();
  for (const prompt of prompts) sendPrompt(prompt);
  const draft = current.peek()?.draft;
  if (draft === undefined || text === "") return;
  const shown = view.peek();
  const before = shown.kind === "chat" ? storedDraft(shown.session ?? "") : "";
  draft.value = before === "" || before === text ? text : `${before}\n${text}`;
}
