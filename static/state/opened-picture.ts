// The picture of a result that is displayed as large as the screen.
import { signal } from "@preact/signals";

/** Its data: URL and what it is called; undefined while there is none. */
export const openedPicture = signal<{ src: string; name: string } | undefined>(undefined);
