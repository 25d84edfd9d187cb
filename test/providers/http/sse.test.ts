// Streams of events with every line end, cut at every byte.
import { expect } from "chai";
import { createSseParser } from "../../../src/providers/http/sse.js";

/** What comes out when the bytes arrive in pieces of `size`. */
function parse(bytes: Uint8Array | string, size = Number.POSITIVE_INFINITY): string[] {
  const all = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
  const parser = createSseParser();
  const out: string[] = [];
  for (let at = 0; at < all.length; at += size)
    out.push(...parser.push(all.subarray(at, Math.min(at + size, all.length))));
  return [...out, ...parser.end()];
}

describe("Models: server-sent events", () => {
  const text = "data: Zürich 東京 🎉\n\n: comment\ndata:two\ndata: lines\r\n\r\ndata: cr\r\revent: x\nid: 1\ndata\n\n";
  // The last says nothing: a server's sign of life.
  const events = ["Zürich 東京 🎉", "two\nlines", "cr"];

  it("gives the data of each event, for every line end", () => {
    for (const end of ["\n", "\r", "\r\n"])
      expect(parse(`data: a${end}${end}data: b${end}data: c${end}${end}`)).to.deep.equal(["a", "b\nc"]);
    expect(parse(text)).to.deep.equal(events);
  });

  it("gives the same events wherever the bytes are cut, inside a character or between CR and LF", () => {
    for (let size = 1; size < 40; size++) expect(parse(text, size), `pieces of ${size}`).to.deep.equal(events);
  });

  it("gives an event as soon as its blank line is there, before the LF of a last CR", () => {
    const parser = createSseParser();
    expect(parser.push(Buffer.from("data: a\r\n\r"))).to.deep.equal(["a"]);
    expect(parser.push(Buffer.from("\ndata: b\r\n\r\n"))).to.deep.equal(["b"]);
    expect(parser.end()).to.deep.equal([]);
  });

  it("skips comments, other fields, blank lines without data and a byte order mark", () => {
    expect(parse("\ufeffdata: a\n\n: ping\n\n\n\nretry: 5\n\nevent: x\n\ndatum: b\n\n data: c\n\n")).to.deep.equal([
      "a",
    ]);
  });

  it("gives an event of the name error as an object that has it, for servers that send what would stand in it", () => {
    const whole = '{"error":{"message":"boom"}}';
    expect(parse(`event: error\ndata: {"message":"boom"}\n\nevent: error\ndata: ${whole}\n\n`)).to.deep.equal([
      whole,
      whole,
    ]);
    expect(parse("event: error\ndata: boom\n\ndata: a\n\n")).to.deep.equal(['{"error":"boom"}', "a"]);
  });

  it("takes off one space after the colon, not more", () => {
    expect(parse("data:a\n\ndata:  b\n\ndata: c: d \n\n")).to.deep.equal(["a", " b", "c: d "]);
  });

  it("counts a last event without its blank line", () => {
    expect(parse("data: a\n\ndata: b")).to.deep.equal(["a", "b"]);
    expect(parse("data: a\n\ndata: b\n")).to.deep.equal(["a", "b"]);
  });

  it("replaces bytes that are not UTF-8 and goes on", () => {
    const bytes = Buffer.concat([Buffer.from("data: a"), Buffer.from([0xff]), Buffer.from("b\n\ndata: c\n\n")]);
    expect(parse(bytes, 2)).to.deep.equal(["a\ufffdb", "c"]);
  });

  it("reads a line of a megabyte in small pieces", () => {
    const long = "x".repeat(1 << 20);
    expect(parse(`data: ${long}\n\n`, 1000)).to.deep.equal([long]);
  });

  it("refuses a line that never ends", () => {
    const parser = createSseParser();
    const piece = Buffer.alloc(1 << 20, 120);
    expect(() => {
      for (let i = 0; i < 64; i++) parser.push(piece);
    }).to.throw(RangeError);
  });

  it("refuses an event that never ends", () => {
    const parser = createSseParser();
    const piece = Buffer.from(`data: ${"x".repeat(1 << 20)}\n`);
    expect(() => {
      for (let i = 0; i < 64; i++) parser.push(piece);
    }).to.throw(RangeError);
  });
});
