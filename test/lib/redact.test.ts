// Secrets stay out of what is stored, displayed and logged.
import { expect } from "chai";
import { createRedactor } from "../../src/lib/redact/redact.js";
import { isSensitiveKey } from "../../src/lib/redact/sensitive-key.js";

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

  it("N1 removes a secret in every form a target's own encoding gives it", () => {
    const hard = "pa!ss(word)*1 x/y<z>&'ä";
    const known = createRedactor([hard, "s3cr3t-value"]);
    // In CSV that is broken, and therefore text.
    expect(createRedactor(['s3c"ret""']).text('a,"s3c""ret""""" x,s3c"ret""')).to.equal('a,"[redacted]" x,[redacted]');
    const strict = encodeURIComponent(hard).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
    for (const form of [
      strict,
      strict.toLowerCase(),
      strict.replaceAll("%20", "+"),
      hard.replaceAll("/", "\\/"),
      hard.replace(/[<>&'ä]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`),
      hard.replace(/[<>&'/]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}`),
      hard.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("'", "&#39;"),
    ])
      expect(known.text(`before ${form} after`), form).to.equal("before [redacted] after");
    for (const user of ["", "u:", "us:", "user:", "a much longer user: "])
      for (const rest of ["", "!", " and more"])
        for (const encoding of ["base64", "base64url"] as const) {
          const text = Buffer.from(`${user}s3cr3t-value${rest}`).toString(encoding);
          const left = known.text(`Basic ${text}`).replace(/^Basic |\[redacted\]/g, "");
          expect(Buffer.from(left, "base64").toString("latin1"), text).to.not.match(/s3|3c|cr|r3|3t|t-|va|al|lu|ue/);
          expect(known.text(text), text).to.contain("[redacted]");
        }
  });

  it("N1 removes a secret that was configured with a line end", () => {
    expect(createRedactor(["tok-123456\n"]).text("Bearer tok-123456 refused")).to.equal("Bearer [redacted] refused");
  });

  it("leaves values alone that are too short to distinguish from ordinary text", () => {
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

  it("N4 removes everything below a sensitive key", () => {
    const value = {
      password: ["hunter2"],
      token: { value: "hunter2", deep: [{ x: 7 }], active: true, gone: null },
      "set-cookie": ["sid=hunter2"],
    };
    expect(redactor.value(value)).to.deep.equal({
      password: ["[redacted]"],
      token: { value: "[redacted]", deep: [{ x: "[redacted]" }], active: true, gone: null },
      "set-cookie": ["[redacted]"],
    });
  });

  it("N4 removes texts right below a plural, and leaves counts and records", () => {
    const value = {
      tokens: ["hunter2"],
      secrets: { db: "hunter2" },
      cookies: "hunter2",
      api_keys: [{ id: 7, name: "deploy", api_key: "hunter2" }],
      usage: { tokens: 5, max_tokens: 100, input_tokens: "100" },
    };
    expect(redactor.value(value)).to.deep.equal({
      tokens: ["[redacted]"],
      secrets: { db: "[redacted]" },
      cookies: "[redacted]",
      api_keys: [{ id: 7, name: "deploy", api_key: "[redacted]" }],
      usage: { tokens: 5, max_tokens: 100, input_tokens: "100" },
    });
  });

  it("keeps a whole call but for known secrets", () => {
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

  it("forgets the oldest access tokens, so that months of them do not slow it down", () => {
    const learning = createRedactor(["configured"]);
    learning.learn("found-later");
    for (let n = 100; n < 200; n++) learning.learn(`access-${n}`, { passing: true });
    expect(learning.text("configured found-later access-199 access-150")).to.equal(
      Array(4).fill("[redacted]").join(" "),
    );
    expect(learning.text("access-100")).to.equal("access-100");
  });

  it("distinguishes page tokens from secrets", () => {
    for (const key of [
      "password",
      "apiKey",
      "X-Api-Key",
      "access_token",
      "client_secret",
      "userPassword",
      "Set-Cookie",
      "DB_PASSWORD",
      "secret_key",
      "SECRET_KEY",
      "secretKey",
      "AWSSecretAccessKey",
      "new-password",
      "passwords",
      "Password2",
      "password_confirmation",
      "accesstoken",
      "X-GitLab-Token",
      "jwt",
    ])
      expect(isSensitiveKey(key), key).to.equal(true);
    for (const key of [
      "next_page_token",
      "pageToken",
      "nextToken",
      "NEXT_PAGE_TOKEN",
      "nextpagetoken",
      "continuation-token",
      "$skipToken",
      "tokens",
      "max_tokens",
      "name",
      "author",
      "secretary",
      "passenger",
      "public_key",
      "primary_key",
      "secretName",
      "token_type",
      "boarding_pass",
      "password_policy",
    ])
      expect(isSensitiveKey(key), key).to.equal(false);
  });
});
