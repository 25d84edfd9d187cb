// What the arguments of a call hide, and what is searched for in its result.
import { expect } from "chai";
import { redactArguments, resultRedactor } from "../../src/agent/calls/redact-arguments.js";
import type { JsonObject } from "../../src/lib/json.js";
import { createRedactor } from "../../src/lib/redact/redact.js";

const redactor = createRedactor([]);
const secrets = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`password_${i}`, `hunter-${i}-hunter`]));

describe("Large results: secrets among the arguments", () => {
  it("judges a name with numbers like the name, and keeps every member in its place", () => {
    const given = JSON.parse(
      '{"id2":"a","password17":"b","__proto__":"c","4_tokens":"d","token2count":"e"}',
    ) as JsonObject;
    const shown = redactArguments(given, undefined, redactor);
    expect(JSON.stringify(shown)).to.equal(
      '{"id2":"a","password17":"[redacted]","__proto__":"c","4_tokens":"[redacted]","token2count":"e"}',
    );
    expect(Object.getPrototypeOf(shown)).to.equal(Object.prototype);
  });

  it("looks at nothing of a result where hidden names have become the same, or stand elsewhere", () => {
    const known = createRedactor(["hunter2secret", "1234567"]);
    const objects: JsonObject[] = [
      { hunter2secret: "x", "[redacted]": "y", password: "topsecretvalue" },
      { "1234567": { note: "topsecretvalue" }, "2345678": { password: "topsecretvalue" } },
      { list: [{ hunter2secret: 1, "[redacted]": 2 }], password: "topsecretvalue" },
    ];
    for (const sent of objects) {
      const search = resultRedactor({ sent, shown: redactArguments(sent, undefined, known) }, known);
      expect(search.value({ a: "a topsecretvalue" })).to.deep.equal({ a: "[redacted]" });
    }
    const sent = { hunter2secret: "x", password: "topsecretvalue" };
    const search = resultRedactor({ sent, shown: redactArguments(sent, undefined, known) }, known);
    expect(search.value({ a: "a topsecretvalue" })).to.deep.equal({ a: "a [redacted]" });
  });

  it("searches a result for hundreds of them, and looks at no more where they are too many", () => {
    const few = secrets(500);
    const search = resultRedactor({ sent: few, shown: redactArguments(few, undefined, redactor) }, redactor);
    expect(search.value({ a: "x hunter-499-hunter", b: "open" })).to.deep.equal({ a: "x [redacted]", b: "open" });

    const many = secrets(10_000);
    const shown = redactArguments(many, undefined, redactor);
    let reads = 0;
    const sent = new Proxy(many, {
      get(object, name) {
        reads++;
        return Reflect.get(object, name);
      },
    });
    expect(resultRedactor({ sent, shown }, redactor).value({ b: "opened" })).to.deep.equal({ b: "[redacted]" });
    expect(reads).to.be.below(1_000);
  });
});
