// The lines of a stream as they come, within bounds.
import { ByteCollector } from "../../lib/byte-collector.js";

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
  let read = new ByteCollector();
  let isOver = false;
  return (chunk) => {
    let rest = chunk;
    while (!isOver) {
      const end = rest.indexOf(10);
      const piece = end < 0 ? rest : rest.subarray(0, end);
      read.add(piece);
      if (read.length > maxBytes) {
        isOver = true;
        read = new ByteCollector();
        onTooLong();
        return;
      }
      if (end < 0) return;
      const line = read.bytes().toString("utf8");
      read = new ByteCollector();
      rest = rest.subarray(end + 1);
      onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
    }
  };
}
