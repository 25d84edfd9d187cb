// The button that puts a text on the clipboard. Browsers offer the clipboard on loopback and https addresses only; elsewhere
// there is no button.
import { useState } from "preact/hooks";

const isOffered = "clipboard" in navigator;
const SAID_MS = 1500;

/** Copies a text that is made when it is asked for. `label` is what is copied, for those who do not see where the button is. */
export function Copy({ text, label }: { text: () => string; label: string }) {
  const [said, setSaid] = useState("Copy");
  if (!isOffered) return null;
  const copy = async () => {
    setSaid(
      await navigator.clipboard.writeText(text()).then(
        () => "Copied",
        () => "Not allowed",
      ),
    );
    setTimeout(() => setSaid("Copy"), SAID_MS);
  };
  return (
    <button type="button" class="link copy" aria-label={said === "Copy" ? label : said} onClick={() => void copy()}>
      {said}
    </button>
  );
}
