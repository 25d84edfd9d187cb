// The lines of a stream as they come, within bounds.

interface LineOptions {
  /** A longer line is a fault. In bytes. */
  maxBytes: number;
  /** Gets each line without its end. */
  onLine(line: string): void;
  /** Called once, when a line gets too long; nothing more is given out. */
  onTooLong(): void;
}

/** Takes chunks of a stream and gives out its lines. */
export function createLines({ maxBytes, onLine, onTooLong }: LineOptions): (chunk: Buffer) => void {
  let pieces: Buffer[] = [];
  let length = 0;
  let isOver = false;
  return (chunk) => {
    let rest = chunk;
    while (!isOver) {
      const end = rest.indexOf(10);
      const piece = end < 0 ? rest : rest.subarray(0, end);
      if ((length += piece.length) > maxBytes) {
        isOver = true;
        pieces = [];
        onTooLong();
        return;
      }
      pieces.push(piece);
      if (end < 0) return;
      const line = Buffer.concat(pieces).toString("utf8");
      pieces = [];
      length = 0;
      rest = rest.subarray(end + 1);
      onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
    }
  };
}
