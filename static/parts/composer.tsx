// Where prompts are written: the queue, the text, the safety modes, send and stop.
import { effect } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Conversation } from "../state/conversation.js";
import { sendPrompt } from "../state/conversations.js";
import { config } from "../state/daemon.js";
import { storeDraft, storedDraft } from "../state/drafts.js";
import { focusPrompt } from "../state/focus.js";
import { drawerOpen, view } from "../state/route.js";
import { Icon } from "./icons.js";
import { ModeSwitches } from "./mode-switches.js";
import { PromptChoices } from "./prompt-choices.js";
import { PromptQueue } from "./prompt-queue.js";

/** Whether Esc is meant for something in front of the chat. */
function escIsTaken(event: KeyboardEvent): boolean {
  // In any field but the prompt, Esc leaves that field.
  if (event.target instanceof Element && event.target.matches("input, select, textarea:not(#prompt)")) return true;
  return event.defaultPrevented || drawerOpen.peek() || document.querySelector("dialog[open]") !== null;
}

/** Stops the running turn on Esc, wherever the focus is. */
function useStopKey(conversation: Conversation): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && conversation.busy.peek() && !escIsTaken(event)) void conversation.stop();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [conversation]);
}

/** Makes a field as high as its text, up to the height the style allows. */
function useGrowing(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    if (field.current === null) return;
    field.current.style.height = "auto";
    field.current.style.height = `${field.current.scrollHeight}px`;
  }, [text]);
}

function StopButton({ conversation }: { conversation: Conversation }) {
  const stopping = conversation.stopping.value;
  return (
    <button type="button" class="stop" title="Stop (Esc)" disabled={stopping} onClick={() => void conversation.stop()}>
      <span class="stop-mark" aria-hidden="true" />
      <span class="stop-label">{stopping ? "Stopping…" : "Stop"}</span>
    </button>
  );
}

/** Keeps what is typed over a reload; the draft of a new chat is that of the next one, too. */
function useKeptDraft({ draft }: Conversation): void {
  const session = view.value.kind === "chat" ? (view.value.session ?? "") : "";
  // Before anything can be typed: what was there would come back into a field that was just emptied.
  useLayoutEffect(() => {
    if (draft.peek() === "") draft.value = storedDraft(session);
    return effect(() => storeDraft(session, draft.value));
  }, [draft, session]);
}

/** The prompt that an arrow key brings into an empty field, or in place of the one it brought before; undefined for none. */
function recalledPrompt({ draft, turns }: Conversation, key: string): string | undefined {
  const prompts = [...new Set(turns.peek().map(({ prompt }) => prompt))].reverse();
  const at = prompts.indexOf(draft.peek());
  if (at < 0 && draft.peek() !== "") return undefined;
  if (key === "ArrowUp") return prompts[at + 1];
  return key === "ArrowDown" && at >= 0 ? (prompts[at - 1] ?? "") : undefined;
}

/** The composer of a conversation. */
export function Composer({ conversation }: { conversation: Conversation }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { draft } = conversation;
  const running = conversation.busy.value;
  useEffect(focusPrompt, [conversation]);
  useStopKey(conversation);
  useGrowing(field, draft.value);
  useKeptDraft(conversation);

  const submit = () => {
    const text = draft.peek().trim();
    if (text === "") return;
    draft.value = "";
    sendPrompt(text);
    field.current?.focus();
  };
  const onSubmit = (event: Event) => {
    event.preventDefault();
    submit();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While a word is being composed (Japanese, Chinese, …) Enter belongs to the input method.
    if (event.shiftKey || event.isComposing) return;
    const recalled = recalledPrompt(conversation, event.key);
    if (recalled !== undefined) {
      event.preventDefault();
      draft.value = recalled;
    }
    if (event.key !== "Enter") return;
    event.preventDefault();
    submit();
  };

  return (
    <div class="composer">
      <PromptQueue conversation={conversation} />
      <form class="composer-box" onSubmit={onSubmit}>
        <label class="visually-hidden" for="prompt">
          Prompt
        </label>
        <textarea
          id="prompt"
          ref={field}
          rows={1}
          dir="auto"
          placeholder={running ? "Next prompt (waits its turn)" : "Ask, or say what to change"}
          value={draft.value}
          onInput={(event) => (draft.value = event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <div class="composer-row">
          {config.value !== undefined && (
            <>
              <ModeSwitches />
              <PromptChoices session={conversation.id} />
            </>
          )}
          <span class="spacer" />
          {running && <StopButton conversation={conversation} />}
          <button
            type="submit"
            class="send"
            aria-label={running ? "Queue prompt" : "Send"}
            title="Send (Enter)"
            disabled={draft.value.trim() === ""}
          >
            <Icon name="send" />
          </button>
        </div>
      </form>
    </div>
  );
}
