// Secrets stay out of what is stored, shown and logged.
import { expect } from "chai";
import { createRedactor, isSensitiveKey } from "../src/redact.js";

describe("Redaction", () => {
  const redactor = createRedactor(["s3cret-value", 'with"quote+and space', "abc"]);

  it("N1 removes configured secrets by value, in every form they take on a wire", () => {
    const secret = 'with"quote+and space';
    for (const form of [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret),
      Buffer.from(secret).toString("base64"),
    ])
      expect(redactor.text(`before ${form} after`)).to.not.contain(form.replace(/^"|"$/g, ""));
    expect(redactor.text("x s3cret-value y")).to.equal("x [redacted] y");
  });

  it("leaves values alone that are too short to be told from ordinary text", () => {
    expect(redactor.text("abc")).to.equal("abc");
  });

  it("N4 removes what stands under a sensitive key, at any depth", () => {
    const value = {
      user: { password: "hunter2", name: "Ann" },
      list: [{ api_key: "k" }],
      headers: { Authorization: "Basic x" },
    };
    expect(redactor.value(value)).to.deep.equal({
      user: { password: "[redacted]", name: "Ann" },
      list: [{ api_key: "[redacted]" }],
      headers: { Authorization: "[redacted]" },
    });
  });

  it("shows a person the whole call, known secrets apart", () => {
    expect(redactor.known({ password: "hunter2", note: "s3cret-value" })).to.deep.equal({
      password: "hunter2",
      note: "[redacted]",
    });
  });

  it("learns secrets while running", () => {
    const learning = createRedactor([]);
    learning.learn("fetched-token");
    expect(learning.text("fetched-token")).to.equal("[redacted]");
  });

  it("knows page tokens from secrets", () => {
    for (const key of [
      "password",
      "apiKey",
      "X-Api-Key",
      "access_token",
      "client_secret",
      "userPassword",
      "Set-Cookie",
    ])
      expect(isSensitiveKey(key), key).to.equal(true);
    for (const key of [
      "next_page_token",
      "pageToken",
      "tokens",
      "max_tokens",
      "name",
      "author",
      "secretary",
      "passenger",
    ])
      expect(isSensitiveKey(key), key).to.equal(false);
  });
});
