// The widths of the columns of a table, and a table on terminals of three widths. Source: docs/reference.md, "Text on a terminal"
import { expect } from "chai";
import stringWidth from "string-width";
import { COLUMN_GAP, fitByRank, fitColumns } from "../../../src/cli/terminal/fit-columns.js";
import { allOnly } from "../../support/all.js";
import { agentd, dataDir, start, stopAll } from "../../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../../support/target.js";
import { itOnTerminal, onTerminal } from "../../support/terminal.js";

const WIDTHS = [60, 80, 200];
const used = (widths: readonly number[]): number =>
  widths.reduce((all, own) => all + own, 0) + COLUMN_GAP * (widths.length - 1);

describe("Columns that are fitted to a terminal", () => {
  it("use all there is where one is cut: the first of the widest get what is left", () => {
    expect(fitColumns([2, 90, 90, 90, 90], 60)).to.deep.equal([2, 13, 13, 12, 12]);
    expect(fitColumns([2, 90, 5, 90, 90], 80)).to.deep.equal([2, 22, 5, 22, 21]);
    expect(fitColumns([90, 30, 9], 60)).to.deep.equal([24, 23, 9]);
    for (const width of WIDTHS)
      for (let count = 2; count < 9; count++) {
        const natural = Array.from({ length: count }, (_, at) => 3 + at * 29);
        const widths = fitColumns(natural, width);
        const isCut = widths.some((own, at) => own < (natural[at] ?? 0));
        if (isCut) expect(used(widths), `${count} in ${width}`).to.equal(width);
        else expect(widths).to.deep.equal(natural.slice(0, widths.length));
      }
  });

  it("are as wide as what is in them where there is room, and the first is always there", () => {
    expect(fitColumns([2, 30, 5], 60)).to.deep.equal([2, 30, 5]);
    expect(fitColumns([90], 60)).to.deep.equal([60]);
    expect(fitColumns([5, 9], 6)).to.deep.equal([5]);
    expect(fitColumns([], 60)).to.deep.equal([]);
  });

  it("share by rank all there is, and with columns that say nothing only where no other is cut for them", () => {
    const silent = { least: 8, rank: Number.POSITIVE_INFINITY };
    const columns = [
      { natural: 20, least: 20, rank: 1 },
      { natural: 90, least: 8, rank: 2 },
      { natural: 90, least: 8, rank: 3 },
      { natural: 9, ...silent },
    ];
    expect(fitByRank(columns, 61)).to.deep.equal([
      { at: 0, width: 20 },
      { at: 1, width: 19 },
      { at: 2, width: 18 },
    ]);
    const [first = columns[3], , , last] = columns;
    const narrow = [first, { natural: 70, ...silent }, last].filter((one) => one !== undefined);
    expect(fitByRank(narrow, 60)).to.deep.equal([
      { at: 0, width: 20 },
      { at: 2, width: 9 },
    ]);
  });

  describe("of a real terminal", function () {
    this.timeout(60_000);
    let home: ReturnType<typeof dataDir>;
    let target: RecordingTarget;
    before(async () => {
      const texts = (i: number) =>
        Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, `${name}${i} `.repeat(60)]));
      target = await startTarget(() => json(Array.from({ length: 12 }, (_, i) => ({ id: i + 1, ...texts(i) }))));
      const list = { calls: [{ name: "list_pets", arguments: {} }] };
      home = dataDir({ target: target.url, turns: [{ prompt: "list", replies: [list, { text: "ok" }] }] });
      await agentd(["run", "list", "--data-dir", home.dir]);
    });
    after(async () => {
      await stopAll();
      await target.close();
    });

    for (const columns of WIDTHS)
      itOnTerminal(`fill its ${columns} columns with a table that has more${allOnly(columns !== 80)}`, async () => {
        const size = { rows: 60, columns };
        const running = start(onTerminal(["result", "1", "--data-dir", home.dir], size));
        expect((await running.ended).code).to.equal(0);
        const rows = running
          .stdout()
          .split(/\r?\n/)
          .filter((line) => line.includes("…"));
        expect(rows.length, running.stdout()).to.be.at.least(12);
        for (const row of rows) expect(stringWidth(row), row).to.be.within(columns - 1, columns);
      });
  });
});
