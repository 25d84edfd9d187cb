// What the log of the real program never says: also secrets that it learned while it ran.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { agentd, dataDir, serve, stopAll } from "../../support/spawn.js";

const KEY = "sk-canary-31f7";

/** A document that cannot be used, with a text of our choice in the reason. */
function broken(name: string): string {
  return JSON.stringify({ resources: [{ name: "r", actions: [{ name }, { name }] }] });
}

describe("The log", function () {
  this.timeout(60_000);
  let home: ReturnType<typeof dataDir>;
  beforeEach(() => {
    home = dataDir();
    writeFileSync(join(home.dir, "config.json"), "{}");
  });
  afterEach(stopAll);

  it("N1 does not say a key that was found in the environment", async () => {
    const daemon = await serve(["--data-dir", home.dir], { env: { OPENAI_API_KEY: KEY } });
    await daemon.prints("OPENAI_API_KEY");
    writeFileSync(join(home.dir, "schema.json"), broken(KEY));
    await fetch(`${daemon.url}/tools`);
    await daemon.prints("the schema document cannot be used; its tools are missing");
    const { stderr } = await daemon.stop();
    expect(stderr).to.contain("[redacted] is used twice").and.not.to.contain(KEY);
  });
  it("of a command names the document that cannot be used, and why @all", async () => {
    mkdirSync(join(home.dir, "schemas"));
    const file = join(home.dir, "schemas", "shop.json");
    writeFileSync(file, broken("find"));
    const commands = [["tools"], ["run", "hello", "--provider", "offline"]];
    for (const command of commands) {
      const { stderr } = await agentd([...command, "--data-dir", home.dir]);
      const said = stderr.split("\n").filter((line) => line.includes("its tools are missing"));
      expect(said, command[0]).to.have.length(1);
      expect(said[0]).to.include(`${file} cannot be used: `).and.include("is used twice");
    }
  });
});
