// Pieces of any size, in memory of about their length.
import { expect } from "chai";
import { ByteCollector } from "../../src/lib/byte-collector.js";
import { watchMemory } from "../support/live-memory.js";

describe("Collected bytes", () => {
  it("are the pieces in order, whatever their sizes", () => {
    const sizes = [1, 0, 4_095, 4_096, 1, 16_384, 4_000, 4_000, 4_000, 4_000, 4_000, 7, 100_000, 3];
    const pieces = sizes.map((size, n) => Buffer.alloc(size, n + 1));
    for (let from = 0; from < pieces.length; from++) {
      const collector = new ByteCollector();
      for (const piece of pieces.slice(from)) collector.add(piece);
      const all = Buffer.concat(pieces.slice(from));
      expect(collector.length).to.equal(all.length);
      expect(collector.bytes().equals(all)).to.equal(true);
      collector.add(Buffer.from("more"));
      collector.add(Buffer.from("!"));
      expect(collector.bytes().equals(Buffer.concat([all, Buffer.from("more!")]))).to.equal(true);
    }
    expect(new ByteCollector().bytes()).to.have.length(0);
  });

  it("are not copied where they come in one piece", () => {
    for (const size of [3, 5_000]) {
      const piece = Buffer.alloc(size, "x");
      const collector = new ByteCollector();
      collector.add(piece);
      expect(collector.bytes().buffer).to.equal(piece.buffer);
    }
  });

  it("G16 take little more memory than they are long when they come one by one, each from a packet of its own", () => {
    const stop = watchMemory();
    const collector = new ByteCollector();
    for (let i = 0; i < 1_000_000; i++) {
      // A byte of a packet keeps all of it.
      const packet = i % 1_000 === 0 ? Buffer.allocUnsafeSlow(64 * 1024) : Buffer.allocUnsafe(1);
      collector.add(packet.subarray(0, 1));
    }
    expect(stop()).to.be.below(16 * 1024 * 1024);
    expect(collector.length).to.equal(1_000_000);
  });
});
