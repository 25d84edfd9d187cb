// A question that must be answered before something is lost. The browser's own dialog keeps the focus inside it.
import { useEffect, useRef } from "preact/hooks";

/** A modal question; Esc and the safe button, which has the focus, cancel. */
export function Dialog(props: {
  title: string;
  text: string;
  action: string;
  onConfirm: () => void;
  onCancel: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="question" aria-labelledby="question" onClose={props.onCancel}>
      <h2 id="question">{props.title}</h2>
      <p>{props.text}</p>
      <div class="buttons">
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button type="button" class="danger" onClick={props.onConfirm}>
          {props.action}
        </button>
      </div>
    </dialog>
  );
}
