// The button that puts a text on the clipboard. Browsers offer the clipboard on loopback and https addresses only; elsewhere
// there is no button.
import { useState } from "preact/hooks";
import { announce } from "../state/announcement.js";

const isOffered = "clipboard" in navigator;
/** How long the outcome is displayed. */
export const OUTCOME_MS = 1500;

/** Puts a text on the clipboard, and says in a word whether that was allowed, also to those who do not see it. */
export async function copyText(text: string): Promise<string> {
  // Where the address of the page is not secure, there is no clipboard.
  const written = isOffered ? navigator.clipboard.writeText(text) : Promise.reject(new Error("no clipboard"));
  const outcome = await written.then(
    () => "Copied",
    () => "Not allowed",
  );
  announce(outcome === "Copied" ? outcome : "The browser does not allow to copy.");
  return outcome;
}

/**
 * Copies a text that is made on the click. `label` is what is copied, for those who do not see where the button is;
 * `caption` is written on it.
 */
export function Copy(props: { text: () => string; label: string; caption?: string }) {
  const { text, label, caption = "Copy" } = props;
  const [outcome, setOutcome] = useState("");
  if (!isOffered) return null;
  const copy = async () => {
    setOutcome(await copyText(text()));
    setTimeout(() => setOutcome(""), OUTCOME_MS);
  };
  return (
    <button type="button" class="link copy" aria-label={outcome || label} onClick={() => void copy()}>
      {outcome || caption}
    </button>
  );
}
