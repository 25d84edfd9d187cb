// What can be done with the prompt of a turn that is over: asked again as it is, or written otherwise in its own place. Both begin a
// new session.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { errorText } from "../state/api.js";
import { editPrompt, retryTurn } from "../state/continue.js";
import type { Turn } from "../turn/turn.js";
import { useFocusBack } from "./focus-back.js";

/** The buttons under a turn. */
export function TurnAgain({ turn, isEdited, onEdit }: { turn: Turn; isEdited: boolean; onEdit(): void }) {
  const [error, setError] = useState("");
  const edit = useFocusBack<HTMLButtonElement>(isEdited);
  if (turn.turn_id === "") return null;
  const onRetry = () => void retryTurn(turn.turn_id).catch((failure: unknown) => setError(errorText(failure)));
  return (
    <>
      <button type="button" class="link" onClick={onRetry}>
        Retry
      </button>
      <button ref={edit} type="button" class="link" onClick={onEdit}>
        Edit
      </button>
      {error !== "" && <span class="error-text">{error}</span>}
    </>
  );
}

/** A prompt as a field, in its own place. Escape and Cancel leave it as it was. */
export function PromptEdit({ turn, onEnd }: { turn: Turn; onEnd(): void }) {
  const [text, setText] = useState(turn.prompt);
  const [error, setError] = useState("");
  const [isSending, setIsSending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(turn.prompt.length, turn.prompt.length);
  }, []);
  const send = async () => {
    if (text.trim() === "" || isSending) return;
    setIsSending(true);
    try {
      await editPrompt(turn.turn_id, text.trim());
      onEnd();
    } catch (failure) {
      setError(errorText(failure));
      setIsSending(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const isSend = event.key === "Enter" && !event.shiftKey;
    if (event.key !== "Escape" && !isSend) return;
    event.preventDefault();
    if (isSend) void send();
    else onEnd();
  };
  const onSubmit = (event: Event) => {
    event.preventDefault();
    void send();
  };
  return (
    <form class="prompt prompt-edit" onSubmit={onSubmit} onKeyDown={onKeyDown}>
      <textarea
        aria-label="Edited prompt"
        dir="auto"
        ref={field}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <div class="prompt-edit-foot">
        <span class="faint">Goes on in a new session; this one stays as it is.</span>
        {error !== "" && <span class="error-text">{error}</span>}
        <button type="button" onClick={onEnd}>
          Cancel
        </button>
        <button type="submit" class="primary" disabled={text.trim() === "" || isSending}>
          Send
        </button>
      </div>
    </form>
  );
}
