// The title of a session as a field in its place: Enter keeps it, Esc and leaving the field do as they do elsewhere.
import { useLayoutEffect, useRef } from "preact/hooks";
import { renameSession } from "../state/session-list.js";

/** The longest title the daemon takes. */
const MAX_LENGTH = 200;

/** A field with the present title; `onEnd` is called when it is no longer needed. */
export function TitleField({ session_id, title, onEnd }: { session_id: string; title: string; onEnd: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useLayoutEffect(() => field.current?.select(), []);
  const end = (isKept: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    const text = field.current?.value.trim() ?? "";
    if (isKept && text !== title) void renameSession(session_id, text);
    onEnd();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    end(event.key === "Enter");
  };
  return (
    <input
      ref={field}
      class="title-field"
      aria-label="Title"
      placeholder="Empty: the first prompt"
      dir="auto"
      maxLength={MAX_LENGTH}
      defaultValue={title}
      onKeyDown={onKeyDown}
      onBlur={() => end(true)}
    />
  );
}
