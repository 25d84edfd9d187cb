// The navigation drawer of a narrow screen: its elements, and where the keyboard goes when it opens and closes.
import { useEffect, useRef } from "preact/hooks";
import { drawerOpen } from "../state/route.js";

/** The ids of the drawer and of the buttons that open and close it. */
export const DRAWER_IDS = { drawer: "navigation", open: "open-navigation", close: "close-navigation" };

function closeOnEsc(event: KeyboardEvent): void {
  if (event.key !== "Escape" || !drawerOpen.peek()) return;
  event.preventDefault();
  drawerOpen.value = false;
}

/** Moves the keyboard into the drawer when it opens, and back when Esc or a wide screen closes it. */
export function useDrawer(): void {
  const open = drawerOpen.value;
  const wasOpen = useRef(false);
  useEffect(() => {
    // A link in the drawer may already have moved the focus to where it belongs.
    const focused = document.activeElement;
    const isFree = focused === document.body || focused?.closest(`#${DRAWER_IDS.drawer}`) !== null;
    if (open) document.getElementById(DRAWER_IDS.close)?.focus();
    else if (wasOpen.current && isFree) document.getElementById(DRAWER_IDS.open)?.focus();
    wasOpen.current = open;
  }, [open]);
  useEffect(() => {
    const wide = matchMedia("(width >= 52rem)");
    const onWide = (): void => {
      if (wide.matches) drawerOpen.value = false;
    };
    wide.addEventListener("change", onWide);
    addEventListener("keydown", closeOnEsc);
    return () => {
      wide.removeEventListener("change", onWide);
      removeEventListener("keydown", closeOnEsc);
    };
  }, []);
}
