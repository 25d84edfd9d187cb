// Text of any length. A browser lays out a text as a whole, and for one of a megabyte on a single line that takes it half a
// minute; in pieces, of which only those in view are laid out, it takes no time.

/** Laid out in a few milliseconds. The time grows with the square: with the text's own direction, 200,000 take a second. */
const PIECE_LENGTH = 8000;

/** Where the piece that begins at `start` ends: after a line if one ends in its second half, and never inside a character. */
function endOfPiece(text: string, start: number): number {
  const end = start + PIECE_LENGTH;
  if (end >= text.length) return text.length;
  const line = text.lastIndexOf("\n", end - 1) + 1;
  if (line > start + PIECE_LENGTH / 2) return line;
  const isInsidePair = /[\udc00-\udfff]/.test(text.charAt(end));
  return isInsidePair ? end + 1 : end;
}

/** A text; its parent says how white space is displayed. */
export function LongText({ text }: { text: string }) {
  if (text.length <= PIECE_LENGTH) return <>{text}</>;
  const pieces = [];
  for (let start = 0; start < text.length; start = endOfPiece(text, start))
    pieces.push(
      <span class="piece" key={start}>
        {text.slice(start, endOfPiece(text, start))}
      </span>,
    );
  return <>{pieces}</>;
}
