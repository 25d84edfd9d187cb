// Lists that are fitted to a terminal by what identifies a row. Source: docs/reference.md, "Looking at the record"
import { expect } from "chai";
import { fitByRank } from "../../../src/cli/terminal/fit-columns.js";
import { listing } from "../../../src/cli/terminal/listing.js";
import { sessionList } from "../../../src/cli/terminal/session-rows.js";
import { shortTime } from "../../../src/cli/terminal/short-time.js";
import type { SessionSummary } from "../../../src/domain/record.js";

/** With no columns it is a pipe. */
const terminal = (columns: number): NodeJS.WriteStream =>
  ({ columns, rows: 40, isTTY: columns > 0 }) as unknown as NodeJS.WriteStream;

describe("A list on a terminal", () => {
  const columns = [
    { heading: "ID", rank: 1 },
    { heading: "KIND", rank: 4 },
    { heading: "NOTE", rank: 3 },
    { heading: "NAME", rank: 2, least: 8 },
  ];
  const rows = [
    ["1", "sort one", "-", "a long name of it"],
    ["2", "sort two", "", "another name"],
  ];

  it("leaves empty columns out first, then those of the least importance, and says which had something", () => {
    const at = (width: number): string[] => listing(columns, rows, terminal(width)).split("\n");
    expect(at(80)[1]).to.match(/1 +sort one +- +a long name of it/);
    expect(at(32)[1]).to.match(/1 +sort one +a long name of it/);
    expect(at(32).join()).to.not.include("not shown");
    expect(at(20)[1]).to.match(/1 +a long name of …/);
    expect(at(20).join()).to.include("KIND").and.not.include("NOTE");
    expect(listing(columns, rows, terminal(0))).to.include("a long name of it");
  });

  it("cuts no column below what it is of use with, and passes over one that finds no room", () => {
    const measured = [
      { natural: 10, least: 10, rank: 1 },
      { natural: 30, least: 20, rank: 2 },
      { natural: 9, least: 9, rank: 3 },
      { natural: 3, least: 3, rank: 4 },
    ];
    expect(fitByRank(measured, 58)).to.deep.equal([
      { at: 0, width: 10 },
      { at: 1, width: 30 },
      { at: 2, width: 9 },
      { at: 3, width: 3 },
    ]);
    expect(fitByRank(measured, 40)).to.deep.equal([
      { at: 0, width: 10 },
      { at: 1, width: 23 },
      { at: 3, width: 3 },
    ]);
    expect(fitByRank(measured, 6)).to.deep.equal([{ at: 0, width: 6 }]);
  });

  it("has the title of a conversation beside its whole id, and the columns of a pipe as they were", () => {
    const one = {
      session_id: "9f2c4e1a-7b1d-4d52-8a57-0f3f1f6f2c11",
      updated_at: "2026-11-24T10:58:03.123Z",
      turns: 2,
      status: "idle",
      model: "a-model-with-a-long-name",
      title: "Which orders are open in Berlin?",
    } as unknown as SessionSummary;
    const at = (output: NodeJS.WriteStream): string[] => sessionList([one], { output }).split("\n");
    for (const width of [60, 80])
      expect(at(terminal(width))[1]).to.match(new RegExp(`^${one.session_id} .*Which order`));
    expect(at(terminal(80))[1]).to.match(/ 2026-11-2\d \d\d:\d\d /);
    expect(at(terminal(0))[1]).to.equal(
      `${one.session_id}  ${one.updated_at}  2      idle    a-model-with-a-long-name  -       ${one.title}`,
    );
  });

  it("has a time of today without the day, and any other without the seconds", () => {
    const at = new Date(2026, 10, 25, 10, 58, 3);
    expect(shortTime(at.toISOString(), new Date(2026, 10, 25, 23, 59))).to.equal("10:58:03");
    expect(shortTime(at.toISOString(), new Date(2026, 10, 26, 0, 1))).to.equal("2026-11-25 10:58");
    expect(shortTime("some day", at)).to.equal("some day");
  });
});
