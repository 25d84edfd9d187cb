// Where prompts are written: the text, the prompts that wait, the safety modes, send and stop.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Conversation } from "../state/conversation.js";
import { sendPrompt } from "../state/conversations.js";
import { focusPrompt } from "../state/focus.js";
import { choose, chosen, MODES, type Mode, startup } from "../state/modes.js";
import { drawerOpen } from "../state/route.js";
import { Icon } from "./icons.js";

function ModeSwitch({ mode }: { mode: Mode }) {
  const locked = startup.value[mode.name];
  const on = locked || chosen.value[mode.name] === true;
  const title = locked
    ? `${mode.explanation} Set when the daemon was started; it cannot be turned off here.`
    : mode.explanation;
  return (
    <button
      type="button"
      role="switch"
      class="mode"
      aria-checked={on}
      aria-disabled={locked}
      title={title}
      onClick={() => !locked && choose(mode.name, !on)}
    >
      {locked ? <Icon name="lock" /> : <span class="mode-mark" aria-hidden="true" />}
      {mode.label}
      {locked && <span class="unseen"> (set at startup)</span>}
    </button>
  );
}

function Queue({ conversation }: { conversation: Conversation }) {
  const queue = conversation.queue.value;
  if (queue.length === 0) return null;
  return (
    <section class="queue" aria-label="Waiting prompts">
      {conversation.paused.value && (
        <p class="queue-head">
          Paused.
          <button type="button" class="link" onClick={() => conversation.resume()}>
            Send the waiting prompts
          </button>
        </p>
      )}
      <ul>
        {queue.map((queued) => (
          <li key={queued.key}>
            <Icon name="clock" />
            <span class="queued-text" dir="auto">
              {queued.text}
            </span>
            <button
              type="button"
              class="icon-button"
              aria-label={`Remove: ${queued.text.slice(0, 80)}`}
              onClick={() => conversation.unqueue(queued.key)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whether Esc belongs to something in front of the chat. */
function escIsTaken(event: KeyboardEvent): boolean {
  // In any field but the prompt, Esc is somebody leaving that field.
  if (event.target instanceof Element && event.target.matches("input, select, textarea:not(#prompt)")) return true;
  return event.defaultPrevented || drawerOpen.peek() || document.querySelector("dialog[open]") !== null;
}

/** The composer of a conversation. */
export function Composer({ conversation }: { conversation: Conversation }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { draft, busy, stopping, turns } = conversation;
  const running = busy.value || turns.value.at(-1)?.status === "running";

  useEffect(() => {
    focusPrompt();
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && conversation.busy.peek() && !escIsTaken(event)) conversation.stop();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [conversation]);

  // Grows with its text up to the height the style allows.
  useLayoutEffect(() => {
    if (field.current === null) return;
    field.current.style.height = "auto";
    field.current.style.height = `${field.current.scrollHeight}px`;
  }, [draft.value]);

  const submit = () => {
    const text = draft.peek().trim();
    if (text === "") return;
    draft.value = "";
    sendPrompt(text);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While a word is being composed (Japanese, Chinese, …) Enter belongs to the input method.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  };

  return (
    <div class="composer">
      <Queue conversation={conversation} />
      <form
        class="composer-box"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <label class="unseen" for="prompt">
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
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex row in every browser */}
          <div class="modes" role="group" aria-label="Safety modes for your prompts">
            {MODES.map((mode) => (
              <ModeSwitch key={mode.name} mode={mode} />
            ))}
          </div>
          <span class="spring" />
          {running && (
            <button
              type="button"
              class="stop"
              title="Stop (Esc)"
              disabled={stopping.value}
              onClick={() => conversation.stop()}
            >
              <span class="stop-mark" aria-hidden="true" />
              <span class="stop-label">{stopping.value ? "Stopping…" : "Stop"}</span>
            </button>
          )}
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
