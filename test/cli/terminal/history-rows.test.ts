// Calls as lines for a person. Source: docs/reference.md, "History commands"
import { expect } from "chai";
import { historyColumns } from "../../../src/cli/terminal/history-rows.js";
import type { HistoryEntry } from "../../../src/domain/record.js";

describe("A list of calls", () => {
  const entry: HistoryEntry = {
    id: 7,
    ts: "2026-11-21T09:00:00.000Z",
    session_id: "s",
    turn_id: "t",
    call_id: "c",
    application: "shop",
    tool: "shop_list_items",
    arguments: { limit: 2 },
    result: [],
    status: "ok",
    duration_ms: 12.4,
    safety: "read_only",
    policy: { read_only: false, dry_run: false, strict: false, confirm: false },
    request: null,
    provider: "p",
    model: "m",
    client: "cli",
    asked_by: "",
  };
  const cells = (isOfSeveral: boolean, of: HistoryEntry): string[] =>
    historyColumns(isOfSeveral).map(({ cell }) => cell(of));

  it("has a column for the application where there are several", () => {
    const headings = (isOfSeveral: boolean) => historyColumns(isOfSeveral).map(({ heading }) => heading);
    expect(headings(false)).to.deep.equal(["ID", "TIME", "STATUS", "TOOL", "TOOK", "ARGUMENTS"]);
    expect(headings(true)).to.deep.equal(["ID", "TIME", "STATUS", "APPLICATION", "TOOL", "TOOK", "ARGUMENTS"]);
    const rest = ["shop_list_items", "12 ms", '{"limit":2}'];
    expect(cells(true, entry)).to.deep.equal(["7", entry.ts, "ok", "shop", ...rest]);
    expect(cells(true, { ...entry, application: "" })[3]).to.equal("-");
    expect(cells(false, { ...entry, arguments: {}, request: { asks: "How many?" } }).at(-1)).to.equal(
      "asks: How many?",
    );
    expect(cells(false, { ...entry, duration_ms: null })).to.deep.equal(["7", entry.ts, "ok", rest[0], "", rest[2]]);
  });
});
