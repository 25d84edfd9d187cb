// What is opened in front of the page; loaded when it is first opened.
import { overlay } from "../state/commands.js";
import { openedPicture } from "../state/opened-picture.js";
import { lazy } from "./lazy.js";

const Palette = lazy(async () => (await import("./palette.js")).Palette);
const KeyList = lazy(async () => (await import("./key-list.js")).KeyList);
const PictureSheet = lazy(async () => (await import("./result/picture.js")).PictureSheet);

/** The palette, the list of keys or a picture, while one is open. */
export function Overlays() {
  if (openedPicture.value !== undefined) return <PictureSheet />;
  if (overlay.value === "palette") return <Palette />;
  return overlay.value === "keys" ? <KeyList /> : null;
}
