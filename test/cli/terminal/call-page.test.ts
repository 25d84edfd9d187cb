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
