// The log: its format, and what never reaches it.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { createLog } from "../../src/lib/log.js";
import { createRedactor } from "../../src/lib/redact/redact.js";

async function logged(pretty: boolean, level?: "debug" | "info"): Promise<string> {
  let text = "";
  const redactor = createRedactor(["canary-secret"]);
  const log = await createLog({ redactor, pretty, level, write: (line) => (text += line) });
  log.debug({}, "quiet");
  log.info(
    { path: "/chat?token=abc%20d&session_id=1", deep: { header: "Bearer canary-secret" } },
    "canary-secret seen",
  );
  log.warn({ cause: 'at "/chat?x=1&token=q" end', key: "\u001b]52;c;x\u0007" }, "odd \u001b[2J");
  log.warn({ cause: "C1 \u009b2J, bidi \u202egnp", "odd\u009bkey": 1, name: "\u009b\u001b[2J" }, "fields");
  return text;
}

describe("Log", () => {
  it("writes one JSON object a line", async () => {
    const lines = (await logged(false)).trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { level: number }).level)).to.deep.equal([30, 40, 40]);
    expect((await logged(false, "debug")).trim().split("\n").length).to.equal(4);
    expect(JSON.parse(lines[2] ?? "")).to.include({ cause: "C1 \u009b2J, bidi \u202egnp" });
  });

  for (const pretty of [false, true]) {
    it(`N6 removes secrets and tokens from every field, ${pretty ? "for people" : "as JSON"}`, async () => {
      const text = await logged(pretty);
      expect(text).to.not.include("canary-secret").and.not.include("abc%20d").and.not.include("token=q");
      expect(text).to.include("/chat?token=[redacted]&session_id=1").and.include("x=1&token=[redacted]");
    });

    it(`O6 obeys no escape sequence in what it is given, ${pretty ? "for people" : "as JSON"}`, async () => {
      const colours = /\u001b\[\d+m/g;
      expect((await logged(pretty)).replaceAll(colours, "")).to.not.match(
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/,
      );
    });
  }

  it("loses no line when the process exits at once, and keeps their order", () => {
    const file = fileURLToPath(new URL("../../src/lib/log.ts", import.meta.url));
    const script = `const { createLog } = await import(${JSON.stringify(file)});
      const log = await createLog({ redactor: { text: (text) => text } });
      for (let n = 0; n < 50; n++) log.info({ n, long: "x".repeat(n === 20 ? 10_000 : 200) }, "line");
      process.exit(0);`;
    const { stderr } = spawnSync(
      process.execPath,
      [`--import=${import.meta.resolve("tsx")}`, "--input-type=module", "-e", script],
      { encoding: "utf8" },
    );
    const numbers = stderr
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { n: number }).n);
    expect(numbers).to.deep.equal(Array.from({ length: 50 }, (_, n) => n));
  });
});
