// The head of a page: its title, also in the browser's tab, and on a narrow screen the button that opens the drawer.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { pendingConfirmations } from "../state/confirmations.js";
import { drawerOpen } from "../state/route.js";
import { DRAWER_IDS } from "./drawer.js";
import { Icon } from "./icons.js";

const MAX_TITLE_LENGTH = 60;

/** The head of a page; the children are at its right. */
export function PageHead({ title, children }: { title: string; children?: ComponentChildren }) {
  const count = pendingConfirmations.value.length;
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ""}${title.slice(0, MAX_TITLE_LENGTH)} · agentd`;
  }, [title, count]);
  return (
    <header class="head">
      <button
        type="button"
        id={DRAWER_IDS.open}
        class="icon-button only-narrow"
        aria-label="Open navigation"
        aria-controls={DRAWER_IDS.drawer}
        aria-expanded={drawerOpen.value}
        onClick={() => (drawerOpen.value = true)}
      >
        <Icon name="menu" />
        {count > 0 && <span class="dot dot-waiting" />}
      </button>
      <h1 dir="auto">{title.slice(0, MAX_TITLE_LENGTH * 4)}</h1>
      <span class="spacer" />
      {children}
    </header>
  );
}
