// What the arguments of a call hide, and what is searched for in its result.
import { expect } from "chai";
import { redactArguments, redactMalformed, resultRedactor } from "../../src/agent/calls/redact-arguments.js";
import type { Action } from "../../src/domain/schema-document.js";
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

describe("Secrets that the description tells of", () => {
  const text = { type: "string" };
  const password = { type: "string", format: "password" };
  const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
    type: "object",
    properties,
    ...more,
  });
  const shown = (args: JsonObject, parameters: JsonObject, more: Partial<Action> = {}): JsonObject =>
    redactArguments(args, { parameters, ...more } as Action, redactor);
  const hidden = "[redacted]";

  it("are hidden at any depth: in objects, lists, maps, tuples and what is composed or referred to", () => {
    const places: [JsonObject, unknown, unknown][] = [
      [object({ answer: password, hint: text }), { answer: "rex", hint: "dog" }, { answer: hidden, hint: "dog" }],
      [
        { type: "array", items: object({ pin: password }) },
        [{ pin: "12" }, { pin: 34 }],
        [{ pin: hidden }, { pin: hidden }],
      ],
      [
        { type: "object", additionalProperties: password },
        { a: "x", b: ["y"] },
        { a: hidden, b: [hidden] },
      ],
      [{ type: "object", patternProperties: { "^p": password } }, { p1: "x" }, { p1: hidden }],
      [{ type: "array", prefixItems: [text, password] }, ["a", "b", "c"], ["a", hidden, "c"]],
      [{ anyOf: [password, { type: "null" }] }, "x", hidden],
      [
        { allOf: [object({ id: text }), object({ answer: password })] },
        { id: "1", answer: "x" },
        { id: "1", answer: hidden },
      ],
      [{ oneOf: [object({ a: text }), { $ref: "#/$defs/Login" }] }, { answer: "x" }, { answer: hidden }],
      [{ $ref: "#/$defs/Login" }, { answer: "x", next: { answer: "y" } }, { answer: hidden, next: { answer: hidden } }],
    ];
    const definitions = { Login: object({ answer: password, next: { $ref: "#/$defs/Login" } }), Pet: text };
    for (const [schema, given, expected] of places) {
      const args = { value: given, other: "open" } as JsonObject;
      const parameters = object({ value: schema, other: text });
      expect(shown(args, parameters, { definitions }), JSON.stringify(schema)).to.deep.equal({
        value: expected,
        other: "open",
      });
    }
  });

  it("are what is only written and called like a credential, and not all that is only written", () => {
    const written = { type: "string", writeOnly: true };
    const parameters = object({
      user: object({ pwd: written, login_key: written, keeper_id: written, photo: written }),
    });
    const user = { pwd: "a", login_key: "b", keeper_id: "7", photo: "data:," };
    expect(shown({ user }, parameters)).to.deep.equal({
      user: { pwd: hidden, login_key: hidden, keeper_id: "7", photo: "data:," },
    });
  });

  it("may stand under a name that nothing describes, where one is expected", () => {
    const login = object({ user: text, password: text });
    expect(shown({ usr: "bob", pasword: "x" }, login)).to.deep.equal({ usr: hidden, pasword: hidden });
    expect(shown({ user: "bob", pasword: { is: ["x", true] } }, login)).to.deep.equal({
      user: "bob",
      pasword: { is: [hidden, true] },
    });
    expect(shown({ login: { user: "bob", passwort: "x" } }, object({ login }))).to.deep.equal({
      login: { user: "bob", passwort: hidden },
    });
    expect(shown({ anser: "x" }, object({ answer: password }))).to.deep.equal({ anser: hidden });
    expect(shown({ pss: "x" }, object({ p: text }), { wireNames: { p: "user[password]" } })).to.deep.equal({
      pss: hidden,
    });
  });

  it("are not looked for where none is expected, nor under names that any may have", () => {
    const given = { usr: "bob", note: "x" };
    for (const parameters of [
      object({ user: text }),
      object({ send_password: { type: "boolean" }, user: text }),
      object({ password: text }, { additionalProperties: true }),
      object({ password: text }, { additionalProperties: text }),
      object({ password: text }, { patternProperties: { "^[un]": text } }),
      object({ password: text }, { required: ["usr", "note"] }),
      object({ login: object({ password: text }) }, {}),
    ])
      expect(shown(given, parameters), JSON.stringify(parameters)).to.equal(given);
  });

  it("are hidden where an object that has one comes as a text", () => {
    const parameters = object({
      login: object({ user: text, password: text }),
      note: text,
      tags: { type: "array", items: text },
    });
    const login = '{"user":"bob","password":"x"}';
    expect(shown({ login, note: login, tags: "[1]" }, parameters)).to.deep.equal({
      login: hidden,
      note: login,
      tags: "[1]",
    });
  });

  it("are hidden in arguments that cannot be read, under any name from where one may begin", () => {
    const action = { parameters: object({ note: text, login: object({ answer: password }) }) } as unknown as Action;
    const cut = (malformed: string): string => redactMalformed(malformed, action, redactor);
    expect(cut('{"note":"open","login":{"answer":"x')).to.equal(`{"note":"open","login":{"answer": ${hidden}`);
    expect(cut('{"note":"open","login":{"anser":"x')).to.equal(`{"note":"open","login":{"anser": ${hidden}`);
    const plain = { parameters: object({ note: text }) } as unknown as Action;
    expect(redactMalformed('{"note":"open","anser":"x', plain, redactor)).to.equal('{"note":"open","anser":"x');
  });
});
