// The sample shop and its warehouse behind --demo, as a person meets them: one question to both, a change with its effect, and its
// undo. The daemon is the real program with the embedded planner.
import { expect } from "chai";
import { type Served, serve, stopAll } from "../support/spawn.js";

interface Held {
  id: string;
  tool: string;
  undo?: string;
  effect?: { tables: { name: string; deleted: number }[]; changes: { resource: string }[]; complete: boolean };
}

interface Row {
  id: number;
  tool: string;
  status: string;
  undo?: string;
}

describe("The sample shop and its warehouse", function () {
  this.timeout(60_000);
  let daemon: Served;

  before(async () => {
    daemon = await serve(["--demo", "--provider", "offline"]);
  });
  after(stopAll);

  const get = async <T>(path: string): Promise<T> => (await fetch(daemon.url + path)).json() as Promise<T>;
  const post = async <T>(path: string, body: object): Promise<{ status: number; answer: T }> => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(daemon.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, answer: (await response.json()) as T };
  };
  const ask = async (message: string): Promise<{ result: string; events: { kind: string; name?: string }[] }> =>
    (await post<{ result: string; events: { kind: string; name?: string }[] }>("/run", { message })).answer;
  const held = async (): Promise<Held> => {
    const [first] = await get<Held[]>("/-/confirmations?status=pending");
    if (!first) throw new Error("no call is held");
    return first;
  };

  it("answer one question together", async () => {
    const { result, events } = await ask("which products under 20 have fewer than 10 in the warehouse");
    const called = events.filter(({ kind }) => kind === "tool_call").map(({ name }) => name);
    expect(called).to.deep.equal(["listProducts", "warehouse_list_stock"]);
    expect(result).to.match(/^2 products with quantity < 10 in warehouse:/);
    expect(result).to.include("Huila Decaf").and.include("Mint & Verbena");
  });

  for (const [prompt, expected] of [
    ["how many shelves are in the warehouse", /^4 shelves\.$/],
    ["total quantity of the stock in the warehouse on shelf 4", /^The total quantity is \d+, of 2 results/],
    ["list products under 20", /^12 products/],
    ["stock ordered by quantity in the warehouse", /^20 results:/],
  ] as const)
    it(`answer "${prompt}"`, async () => {
      expect((await ask(prompt)).result).to.match(expected);
    });

  it("say under dry_run what would be touched, and touch nothing", async () => {
    const message = "delete stock 5 in the warehouse";
    const { result } = (await post<{ result: string }>("/run", { message, dry_run: true })).answer;
    expect(result).to.match(/^Dry run: nothing was changed\./);
    expect(result).to.include("- stock: 1 deleted\n- movements: 2 deleted");
    expect((await ask("show stock 5 in the warehouse")).result).to.include("Cold Brew Bags");
  });

  it("show what a change does before the yes, and take it back", async () => {
    await ask("delete stock 5 in the warehouse");
    const asked = await held();
    expect(asked.undo).to.equal("possible");
    expect(asked.effect?.complete).to.equal(true);
    expect(asked.effect?.tables.map(({ name, deleted }) => [name, deleted])).to.deep.equal([
      ["stock", 1],
      ["movements", 2],
    ]);
    expect((await post(`/-/confirmations/${asked.id}`, { decision: "approve" })).status).to.equal(200);
    expect((await ask("show stock 5 in the warehouse")).result).to.include("there is no such record");
    const rows = await get<Row[]>("/history?tool=warehouse_delete_stock&status=ok");
    expect(rows.map(({ status, undo }) => [status, undo])).to.deep.equal([["ok", "possible"]]);
    const undo = await post(`/-/history/${rows[0]?.id}/undo`, { confirm: true });
    expect(undo.status).to.equal(202);
    expect((await post(`/-/confirmations/${(await held()).id}`, { decision: "approve" })).status).to.equal(200);
    expect((await ask("show stock 5 in the warehouse")).result).to.include("Cold Brew Bags");
    const [undone, done] = await get<Row[]>("/history?limit=20").then((all) =>
      all.filter(({ tool }) => tool === "undo" || tool === "warehouse_delete_stock"),
    );
    expect([undone?.status, done?.undo]).to.deep.equal(["ok", "done"]);
  });
});
