// Bytes that come in pieces, put together again. A sender chooses the size of its pieces: one of a single byte is an object of a
// hundred, and may keep the whole packet it came in. Small ones are therefore copied, so that all take about their length.

/** Pieces from this size on are kept as they are. */
const LARGE = 4 * 1024;
/** What small pieces are copied into. */
const BLOCK = 16 * 1024;

/** Collects the pieces of one text or answer. */
export class ByteCollector {
  /** Bytes that were added. */
  length = 0;
  #pieces: Uint8Array[] = [];
  #block = Buffer.alloc(0);
  /** Bytes of the block that belong to no piece yet, from its start. */
  #used = 0;

  /** Adds a piece, which must not change any more. */
  add(piece: Uint8Array): void {
    this.length += piece.length;
    // Most answers come in one.
    if (piece.length >= LARGE || this.length === piece.length) {
      this.#endBlock();
      this.#pieces.push(piece);
      return;
    }
    if (this.#used + piece.length > this.#block.length) {
      this.#endBlock();
      this.#block = Buffer.allocUnsafe(BLOCK);
    }
    this.#block.set(piece, this.#used);
    this.#used += piece.length;
  }

  #endBlock(): void {
    if (this.#used > 0) this.#pieces.push(this.#block.subarray(0, this.#used));
    this.#block = this.#block.subarray(this.#used);
    this.#used = 0;
  }

  /** All bytes; a single piece is returned as it is. Further pieces may be added. */
  bytes(): Buffer {
    this.#endBlock();
    const [only] = this.#pieces;
    const all =
      this.#pieces.length === 1 && only
        ? Buffer.from(only.buffer, only.byteOffset, only.length)
        : Buffer.concat(this.#pieces);
    this.#pieces = [all];
    return all;
  }
}
