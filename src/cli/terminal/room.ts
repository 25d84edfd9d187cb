// Who draws lines at the bottom of the terminal right now: they are taken away before anything else is written there.

let clear: (() => void) | undefined;

/** Says who draws, or that this one does no more. */
export function holdRoom(by: () => void): void {
  if (clear !== by) clear?.();
  clear = by;
}

/** Gives the room back, where it is still this one's. */
export function giveRoomBack(by: () => void): void {
  if (clear === by) clear = undefined;
}

/** Takes away what is drawn; it is drawn again with its next change. */
export function makeRoom(): void {
  clear?.();
}
