// A file of sign-ins that cannot be read: the refusal names the file and holds nothing of it.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { expect } from "chai";
import { readLogins } from "../../src/data-dir/logins.js";
import { StartError } from "../../src/domain/error.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("A file of sign-ins", () => {
  it("that is no JSON, or another, is refused without a word of its tokens", () => {
    const dir = temporaryFolder("logins");
    mkdirSync(join(dir, "logins"));
    for (const text of ['{"key": canary-7f3a}', '{"key": {"access_token": ["canary-7f3a"]}}']) {
      writeFileSync(join(dir, "logins", "shop.json"), text);
      expect(() => readLogins(dir, "shop"))
        .to.throw(StartError, "shop.json cannot be used: it is not what agentd writes")
        .and.to.satisfy((error: unknown) => !inspect(error).includes("canary"));
    }
  });
});
