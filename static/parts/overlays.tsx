// What the keyboard opens in front of the page; loaded when it is first opened.
import { overlay } from "../state/commands.js";
import { lazy } from "./lazy.js";

const Palette = lazy(async () => (await import("./palette.js")).Palette);
const KeyList = lazy(async () => (await import("./key-list.js")).KeyList);

/** The palette or the list of keys, while one is open. */
export function Overlays() {
  if (overlay.value === "palette") return <Palette />;
  return overlay.value === "keys" ? <KeyList /> : null;
}
