// The text of an object that comes in pieces: whole when JSON.parse says so, wherever it is cut, and however many pieces there are.
import { expect } from "chai";
import { isObject } from "../../../src/lib/json.js";
import { GrowingObject } from "../../../src/providers/openai-compatible/growing-object.js";

const isWhole = (text: string): boolean => {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
};

const TEXTS = [
  "{}",
  '{"a":1}',
  ' {"a":{"b":[1,{"c":"}]"}]}}  ',
  '{"a":"\\"}","b\\\\":"\\\\"}',
  '{"a":"\\\\\\"{"}',
  '{"a":1}{"b":2}',
  '{"a":1} x',
  "[]",
  '[{"a":1}]',
  '"{}"',
  "null",
  "{a}",
  '{"a":1}}',
  "}{",
  "",
];

describe("The arguments of a call in pieces", () => {
  for (const size of [1, 2, 3, 5, 100])
    it(`are whole when they are one JSON object, by ${size} characters a piece`, () => {
      for (const text of TEXTS) {
        const object = new GrowingObject();
        for (let at = 0; at < text.length; at += size) {
          object.add(text.slice(at, at + size));
          const given = text.slice(0, at + size);
          expect(object.isWhole(), given).to.equal(isWhole(given));
        }
        expect(object.text).to.equal(text);
      }
    });

  it("may be an object that was given as one", () => {
    const object = new GrowingObject();
    object.add('{"a":');
    object.replace({ b: 2 });
    expect([object.text, object.isWhole()]).to.deep.equal(['{"b":2}', true]);
    object.add("x");
    expect(object.isWhole()).to.equal(false);
  });

  it("Q2 are looked at once, whatever their pieces end with", () => {
    const object = new GrowingObject();
    object.add('{"a":"');
    for (let piece = 0; piece < 50_000; piece++) {
      object.add(`${"x".repeat(150)}}`);
      expect(object.isWhole()).to.equal(false);
    }
    object.add('"}');
    expect(object.isWhole()).to.equal(true);
  });
});
