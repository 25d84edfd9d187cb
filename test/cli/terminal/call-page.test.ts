// One recorded call as a page.
import { expect } from "chai";
import { callPage } from "../../../src/cli/terminal/call-page.js";
import { OPEN_POLICY } from "../../../src/domain/policy.js";
import type { HistoryEntry } from "../../../src/domain/record.js";

const entry = (more: Partial<HistoryEntry>): HistoryEntry => ({
  id: 17,
  ts: "2026-01-31T09:00:00.000Z",
  session_id: "s",
  turn_id: "t",
  call_id: "c",
  application: "",
  tool: "list_pets",
  arguments: { limit: 2 },
  safety: "read_only",
  policy: { ...OPEN_POLICY, confirm: true },
  request: { method: "GET", url: "http://x/pets" },
  provider: "p",
  model: "m",
  client: "cli",
  asked_by: "",
  status: "ok",
  result: [],
  duration_ms: 12,
  ...more,
});

const page = (more: Partial<HistoryEntry>, width = 80): string => callPage(entry(more), { width, styled: false });

describe("A recorded call", () => {
  it("is shown whole: who asked, what was sent, what came back", () => {
    const text = page({
      result: {
        items: [
          { id: 1, name: "Rex" },
          { id: 22, name: "東京" },
        ],
        total: 2,
      },
      undo: "possible",
    });
    for (const part of [
      "call 17  list_pets (read_only)\n",
      "status       ok, 12 ms\n",
      "modes        confirm\n",
      "undo         possible: agentd undo 17\n",
      '\nArguments\n  {\n    "limit": 2\n  }\n',
      '"url": "http://x/pets"',
      "\nResult\n  id  name\n  ──  ────\n   1  Rex\n  22  東京\n",
    ])
      expect(text).to.include(part);
  });

  it("cuts nothing: rows that the width has no room for stand field by field, and all of them", () => {
    const note = "every word of a note that no line has room for ".repeat(8).trim();
    const rows = Array.from({ length: 450 }, (_, id) => ({ id, note, tags: ["a", "b"], empty: null }));
    const text = page({ result: { items: rows, total: 450, next: null } }, 60);
    const flat = text.replaceAll(/\s+/g, " ");
    for (const part of ["row 1 of 450 id 0", `row 450 of 450 id 449 note ${note}`, 'tags ["a","b"]', "total 450"])
      expect(flat).to.include(part);
    expect(flat).to.match(/empty null/);
    expect(flat).to.not.include("…");
    for (const line of text.split("\n")) expect(line.length, line).to.be.at.most(60);
  });

  it("keeps the lines of a text in a row, and what stands beside the rows", () => {
    const text = page({ result: { items: [{ id: 1, text: "first\nsecond" }], next: "/p?page=2" } });
    expect(text).to.include("    text  first\n          second\n").and.include("\n  next  /p?page=2\n");
  });

  it("shows all that was sent where that is known", () => {
    const sent = { method: "PATCH", url: "http://x/pets/1", body: { name: "Rex" } };
    const text = callPage(entry({}), { width: 80, styled: false }, sent);
    expect(text).to.match(/\nRequest\n {2}\{\n[^}]*"body": \{\n {6}"name": "Rex"/);
  });

  it("begins with the application's own reason where it failed, and shows what it would have changed", () => {
    const changes = [{ resource: "pets", key: { id: 1 }, before: { id: 1, name: "a" }, after: { id: 1, name: "b" } }];
    const text = page({
      status: "error",
      result: { error: "http_422", message: "422", status: 422, body: { detail: "name is taken" } },
      effect: { changes, complete: true },
    });
    expect(text).to.match(/^call 17 {2}list_pets \(read_only\)\nname is taken\n/);
    expect(text).to.include("changed in pets").and.include('name: "a" -> "b"');
  });

  it("O6 acts on no terminal, whatever the call brought", () => {
    const evil = "a\u001b[2J\u009b\u202e";
    const text = page({ tool: evil, arguments: { [evil]: evil }, result: [{ [evil]: evil }], model: evil }, 40);
    expect(text + page({ result: evil })).to.not.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});
