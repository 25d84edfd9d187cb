// The button that puts a text on the clipboard. Browsers offer the clipboard on loopback and https addresses only; elsewhere
// there is no button.
import { useState } from "preact/hooks";

const isOffered = "clipboard" in navigator;
/** How long the outcome replaces the button's text. */
const OUTCOME_MS = 1500;

/**
 * Copies a text that is made on the click. `label` is what is copied, for those who do not see where the button is;
 * `caption` is written on it.
 */
export function Copy(props: { text: () => string; label: string; caption?: string }) {
  const { text, label, caption = "Copy" } = props;
  const [outcome, setOutcome] = useState("");
  if (!isOffered) return null;
  const copy = async () => {
    setOutcome(
      await navigator.clipboard.writeText(text()).then(
        () => "Copied",
        () => "Not allowed",
      ),
    );
    setTimeout(() => setOutcome(""), OUTCOME_MS);
  };
  return (
    <button type="button" class="link copy" aria-label={outcome || label} onClick={() => void copy()}>
      {outcome || caption}
    </button>
  );
}
