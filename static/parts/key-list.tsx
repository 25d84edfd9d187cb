// The list of keys.
import { useEffect, useRef } from "preact/hooks";
import { COMMANDS, letterKeys, overlay } from "../state/commands.js";
import "../style/palette.css";
import { ViewLink } from "./view-link.js";

const OTHERS = [
  { label: "Find anything", keys: ["Ctrl K"] },
  { label: "Stop the running turn, from anywhere", keys: ["Esc"] },
  { label: "Earlier prompts, in an empty field", keys: ["↑"] },
  { label: "A new line in the prompt", keys: ["Shift Enter"] },
];

/** The keys and what they do. */
export function KeyList() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => (overlay.value = null);
  return (
    <dialog ref={dialog} class="key-list" aria-labelledby="keys-title" onClose={close}>
      <h2 id="keys-title">Keys</h2>
      <dl>
        {[...OTHERS, ...COMMANDS].map(({ label, keys }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <p class="faint">
        Keys of a single letter are {letterKeys.value ? "on" : "off"} in this browser; the{" "}
        <ViewLink view={{ kind: "settings" }} current={false}>
          settings
        </ViewLink>{" "}
        have their switch. Ctrl K finds the same commands.
      </p>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
