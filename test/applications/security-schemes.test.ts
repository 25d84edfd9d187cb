// Security schemes whose members are not what the standard says. Source: docs/reference.md, "Importing a description"
import { expect } from "chai";
import { schemeKind, unsupportedKind } from "../../src/applications/security-schemes.js";
import type { JsonObject } from "../../src/lib/json.js";

describe("Security schemes", () => {
  const whole: JsonObject[] = [
    { type: "http", scheme: "bearer" },
    { type: "apiKey", in: "query", name: "key" },
  ];
  const wrong: JsonObject[] = [{ toString: "x", valueOf: 1 }, ["http"], null, 5].map((value) => ({ value }));

  it("that hold something else than text are not supported, whatever it is", () => {
    for (const scheme of whole)
      for (const key of Object.keys(scheme))
        for (const { value = null } of wrong) {
          const words = `unreadable (${key} is no text)`;
          expect(schemeKind({ ...scheme, [key]: value })).to.deep.equal({ words, secret: undefined });
          expect(unsupportedKind({ ...scheme, [key]: value })).to.equal(words);
        }
  });

  it("are what they are without", () => {
    expect(whole.map((scheme) => schemeKind(scheme)?.words)).to.deep.equal(["bearer token", "key in the query key"]);
    expect(schemeKind({ description: "none" })).to.equal(undefined);
  });
});
