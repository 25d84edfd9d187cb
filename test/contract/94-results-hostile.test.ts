// Questions that cost much, and values that are more than data to the program which opens a file.
// Source: docs/reference.md, "Whole results" and "Results as files".
import { writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { type JsonObject, toJson } from "../../src/lib/json.js";
import { indexLines, pickRows } from "../../src/results/row-file.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { postJson } from "../support/entry-points.js";
import { filesOf } from "../support/sheet.js";
import { start } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { itOnTerminal, onTerminal } from "../support/terminal.js";

describe("Whole results: hostile ones", () => {
  let target: RecordingTarget;
  let daemon: Daemon;
  const result = async (rows: JsonObject[]): Promise<string> => {
    target.answer(() => json(toJson(rows)));
    const answer = await postJson(`${daemon.url}/-/tools/list_pets/call`, {});
    const { history_id } = (await answer.json()) as { history_id: number };
    return `${daemon.url}/-/results/${history_id}`;
  };
  const text = async (address: string): Promise<string> => (await fetch(address)).text();

  before(async () => {
    target = await startTarget();
    daemon = await startDaemon({ target: target.url });
  });
  after(async () => {
    await daemon.close();
    await target.close();
  });

  it("M13 refuses names that repeat the same long value, in pages, files and groups", async () => {
    const long = "x".repeat(3_000_000);
    const address = await result([{ id: 1, a: { b: { c: { d: long } } } }]);
    const names = ["a", "a.b", "a/b", "a.b.c", "a/b.c", "a.b/c", "a/b/c", "a.b.c.d"].join(",");
    for (const query of [`fields=${names}`, `fields=${names}&format=ndjson`, `group=${names}`]) {
      // A file that has begun breaks off.
      const refused = await fetch(`${address}?${query}`).then(
        (answer) => answer.text(),
        () => "not whole",
      );
      expect(refused.length, query).to.be.below(1_000_000);
    }
    expect((await fetch(`${address}?fields=${names}`)).status).to.equal(400);
    expect((await fetch(`${address}?fields=id,a.b,a/b`)).status).to.equal(200);
  });

  it("M13 orders long texts by their beginnings", async () => {
    const same = "x".repeat(1_000);
    const address = await result([{ n: `${same}2` }, { n: `${same}1` }, { n: "a".repeat(2_000) }]);
    const page = JSON.parse(await text(`${address}?sort=n`)) as { indexes: number[] };
    expect(page.indexes).to.deep.equal([2, 0, 1]);
  });

  it("M13 has no more than a megabyte of rows, or one row, in memory for a reader of an ordered file", async () => {
    const folder = temporaryFolder("rows");
    const name = join(folder, "rows");
    const rows = Array.from({ length: 12 }, (_, n) => `${"x".repeat(n === 5 ? 2_000_000 : 300_000)}${n}`);
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    writeFileSync(name, lines);
    const file = await open(name, "r");
    try {
      const index = await indexLines(file, { start: 0, end: lines.length }, rows.length);
      const positions = [...rows.keys()];
      const read: unknown[] = [];
      const pieces: number[] = [];
      while (read.length < rows.length) {
        const piece = await pickRows(file, index, positions.slice(read.length));
        pieces.push(piece.length);
        read.push(...piece);
      }
      expect(read).to.deep.equal(rows);
      expect(pieces).to.deep.equal([3, 2, 1, 3, 3]);
    } finally {
      await file.close();
    }
  });

  it("M13 sends an ordered file of long rows whole @all", async () => {
    const rows = Array.from({ length: 30 }, (_, n) => ({ n, note: "y".repeat(120_000) }));
    const address = await result(rows);
    const lines = (await text(`${address}?sort=-n&format=ndjson`)).trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { n: number }).n)).to.deep.equal(rows.map(({ n }) => n).reverse());
    expect(JSON.parse(await text(`${address}?sort=-n&limit=20`)).items).to.have.length(20);
  });

  it("O14 guards text that would be a formula, whatever stands before the sign", async () => {
    const bad = ["=1+1", " =1+1", "\n=1+1", "\t=1+1", '"=1+1"', "＝1+1", "@SUM(A1)", "+1", "-1-1", "-x"];
    const good = ["-1", "-12.5", "x=1", "a@b.c", "1-1"];
    const address = await result([...bad, ...good].map((text) => ({ text })));
    const tsv = (await text(`${address}?format=tsv`)).trimEnd().split("\n").slice(1);
    expect(tsv.slice(0, bad.length).filter((line) => !line.startsWith("'"))).to.deep.equal([]);
    expect(tsv.slice(bad.length)).to.deep.equal(good);
    const csv = await text(`${address}?format=csv`);
    for (const line of csv.split("\r\n").slice(1, bad.length + 1)) expect(line).to.match(/^"?'/);
  });

  for (const format of ["csv", "ndjson"])
    itOnTerminal(`O6 prints a file to a terminal, on which nothing in it acts: ${format} @all`, async () => {
      const address = await result([{ n: "\u001b]52;c;eA==\u0007\u009b2J\u202eend" }]);
      const id = address.slice(address.lastIndexOf("/") + 1);
      const { code, stdout } = await start(onTerminal(["result", id, "--format", format, "--data-dir", daemon.dataDir]))
        .ended;
      expect(code, stdout).to.equal(0);
      expect(stdout).to.include("end");
      expect(stdout).to.not.match(/[\u0007\u001b\u0080-\u009f\u202e]/);
    });

  it("O14 writes a spreadsheet that opens, of names and texts that no XML has @all", async () => {
    const address = await result([{ ["n".repeat(40_000)]: "a\uFFFFb", "\uD800x": "\u0001c\uFFFE" }]);
    const bytes = new Uint8Array(await (await fetch(`${address}?format=xlsx`)).arrayBuffer());
    const xml = [...filesOf(bytes).values()].join("");
    expect(xml).to.not.match(/[\uFFFE\uFFFF\u0001]/);
    expect(xml).to.not.include("n".repeat(32_768));
    expect(xml).to.include("…");
  });
});
