// The whole results of recorded calls: kept beside the record, and asked for page by page. Source: docs/reference.md, "Whole results".
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { isObject, type JsonObject, parseJson, toJson } from "../../src/lib/json.js";
import { type Daemon, type DaemonOptions, petShop, startDaemon } from "../support/daemon.js";
import { cellsOf, filesOf } from "../support/sheet.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "../support/until.js";

const note = "lorem ipsum ".repeat(20);
const pet = (n: number): JsonObject => ({
  id: n === 7 ? 9_007_199_254_740_993n : n,
  name: `pet ${n}`,
  price: n / 10,
  password: `hidden-${n}`,
  born: `20${10 + (n % 10)}-0${1 + (n % 9)}-15`,
  note,
});
const LIST = [{ calls: [{ id: "all", name: "list_pets", arguments: {} }] }, { text: "done" }];

describe("Whole results", () => {
  let target: RecordingTarget;
  let daemon: Daemon;
  let dataDir: string;
  const results = (): string[] => {
    try {
      return readdirSync(join(dataDir, "results")).sort();
    } catch {
      return [];
    }
  };
  const start = async (config: Record<string, unknown> = {}, options: Partial<DaemonOptions> = {}): Promise<void> => {
    const turns = [{ prompt: "list", replies: LIST }];
    daemon = await startDaemon({ target: target.url, schema: petShop(target.url), turns, config, dataDir, ...options });
  };
  const get = async (path: string): Promise<{ status: number; text: string; body: JsonObject }> => {
    const answer = await fetch(`${daemon.url}${path}`);
    const text = await answer.text();
    const body = answer.headers.get("content-type") === "application/json" ? parseJson(text) : {};
    return { status: answer.status, text, body: isObject(body) ? body : {} };
  };
  /** Makes one call with this answer; the id of its row once its result is kept, or is not. */
  const list = async (items: JsonObject[], wrap = true): Promise<number> => {
    target.answer(() => json(toJson(wrap ? { data: items, next: null } : items)));
    await fetch(`${daemon.url}/run`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ message: "list" }),
    });
    const [row] = await daemon.agent.history({ limit: 1 });
    const id = row?.id ?? 0;
    // It waits for what is being written.
    await get(`/-/results/${id}?limit=0`);
    return id;
  };

  before(async () => {
    target = await startTarget();
  });
  after(() => target.close());
  beforeEach(() => {
    dataDir = temporaryFolder("results");
  });
  afterEach(() => daemon.close());

  it("keeps a list of more than 1 MiB beside the record, redacted, for its owner only, and pages it", async () => {
    await start();
    const id = await list(Array.from({ length: 5_000 }, (_, n) => pet(n)));
    const [row] = await daemon.agent.history({ limit: 1 });
    expect(row?.kept).to.include({ path: "/data", items: 5_000, truncated: false });
    const file = join(dataDir, "results", `${id}.ndjson`);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(readFileSync(file, "utf8")).to.not.include("hidden-");
    const { body, text } = await get(`/-/results/${id}?sort=-price&limit=2&fields=id,password`);
    expect(body).to.deep.equal({
      history_id: id,
      path: "/data",
      total_items: 5_000,
      matching_items: 5_000,
      offset: 0,
      items: [
        { id: 4_999, password: "[redacted]" },
        { id: 4_998, password: "[redacted]" },
      ],
      indexes: [4_999, 4_998],
      next_offset: 2,
    });
    expect(text).to.not.include("hidden-");
    expect((await get(`/-/results/${id}?offset=7&limit=1&fields=id`)).text).to.include(
      '"items":[{"id":9007199254740993}]',
    );
    const summed = await get(`/-/results/${id}?limit=0&group=born:year&aggregate=count,sum:price&q=pet%2011`);
    expect((summed.body["groups"] as JsonObject[])[0]).to.deep.equal({
      key: { born: "2010" },
      values: { count: 11, "sum:price": 1_156 },
    });
    expect((await get(`/-/results/${id}?path=/data/4999/name`)).body).to.deep.equal({
      history_id: id,
      path: "/data/4999/name",
      value: "pet 4999",
    });
    const filter = encodeURIComponent('[{"field":"price","op":"ge","value":499.8}]');
    expect((await get(`/-/results/${id}?filter=${filter}&fields=id`)).body["items"]).to.deep.equal([
      { id: 4_998 },
      { id: 4_999 },
    ]);
  });

  it("answers for a small result from its row, and refuses what it cannot answer by name", async () => {
    await start();
    const id = await list([pet(1), pet(2)]);
    expect(results()).to.deep.equal([]);
    const { body } = await get(`/-/results/${id}?fields=id`);
    expect(body["items"]).to.deep.equal([{ id: 1 }, { id: 2 }]);
    for (const query of [
      "sort=[1]",
      "filter={}",
      "aggregate=median:x",
      "limit=10001",
      "path=/nowhere",
      "x=1",
      "group=a,a",
    ])
      expect((await get(`/-/results/${id}?${query}`)).status, query).to.equal(400);
    for (const none of ["99", "0", "..%2F..%2Fetc%2Fpasswd", "1e3"])
      expect((await get(`/-/results/${none}`)).status, none).to.equal(404);
  });

  it("keeps as many bytes of one result, and of all, as the settings say, the oldest leaving first @all", async () => {
    await start({ kept_result_bytes: 1_000_000, kept_results_bytes: 2_000_000 });
    const items = Array.from({ length: 5_000 }, (_, n) => pet(n));
    const ids = [await list(items), await list(items), await list(items)];
    const kept = (await daemon.agent.history({ limit: 3 })).map((row) => row.kept?.truncated);
    expect(kept).to.deep.equal([true, true, undefined]);
    expect(results()).to.deep.equal(ids.slice(1).map((id) => `${id}.ndjson`));
    const last = (await get(`/-/results/${ids[2]}?limit=0`)).body;
    expect(last["incomplete"]).to.equal(true);
    expect(last["total_items"]).to.be.within(2_000, 4_000);
    // Of the first one the row has the beginning.
    const first = (await get(`/-/results/${ids[0]}?limit=1`)).body;
    expect(first["incomplete"]).to.equal(true);
    expect(first["path"]).to.equal("/data");
  });

  it("keeps nothing with 0", async () => {
    await start({ kept_result_bytes: 0 });
    const id = await list(Array.from({ length: 5_000 }, (_, n) => pet(n)));
    expect(results()).to.deep.equal([]);
    expect((await get(`/-/results/${id}?limit=0`)).body["incomplete"]).to.equal(true);
  });

  it("has no file without a row and no row without a file after a restart @all", async () => {
    await start();
    const items = Array.from({ length: 5_000 }, (_, n) => pet(n));
    const ids = [await list(items), await list(items, false)];
    await daemon.close();
    rmSync(join(dataDir, "results", `${ids[0]}.ndjson`));
    writeFileSync(join(dataDir, "results", "99.ndjson"), '{"history_id":99}\n');
    writeFileSync(join(dataDir, "results", "98.ndjson.partial-abcd"), "half");
    await start();
    await until(() => results().length === 1);
    const rows = await daemon.agent.history({ limit: 2 });
    expect(rows.map(({ kept }) => kept?.path)).to.deep.equal(["", undefined]);
    expect((await get(`/-/results/${ids[1]}?offset=4999`)).body["items"]).to.have.length(1);
    expect((await get(`/-/results/${ids[0]}?limit=0`)).body["incomplete"]).to.equal(true);
  });

  it("does not take the file of another record's row for its own", async () => {
    await start();
    const id = await list(Array.from({ length: 5_000 }, (_, n) => pet(n)));
    const file = join(dataDir, "results", `${id}.ndjson`);
    writeFileSync(file, readFileSync(file, "utf8").replace(/"ts":"2/, '"ts":"1'));
    const { body } = await get(`/-/results/${id}?limit=0`);
    expect(body["incomplete"]).to.equal(true);
  });

  it("sends all rows that match as CSV, TSV, NDJSON and JSON, with nothing that a spreadsheet would run", async () => {
    await start();
    const id = await list([
      { id: 1, name: '=HYPERLINK("x")', tags: ["a", "b"], price: -1.5 },
      { id: 9_007_199_254_740_993n, name: "line\nbreak\t", extra: null, price: "-2" },
      { id: 3, name: "out" },
    ]);
    const filter = "where=%7B%22id%22%3A3%7D";
    const file = async (query: string) => {
      const answer = await fetch(`${daemon.url}/-/results/${id}?${query}`);
      return { text: await answer.text(), disposition: answer.headers.get("content-disposition") };
    };
    const csv = await file("format=csv&sort=-id");
    expect(csv.disposition).to.equal(`attachment; filename="list_pets-${id}.csv"`);
    expect(csv.text.split("\r\n")).to.deep.equal([
      "id,name,tags,price,extra",
      '9007199254740993,"line\nbreak\t",,-2,',
      "3,out,,,",
      `1,"'=HYPERLINK(""x"")","[""a"",""b""]",-1.5,`,
      "",
    ]);
    expect((await file("format=tsv&fields=name,id&sort=id")).text).to.equal(
      `name\tid\n'=HYPERLINK("x")\t1\nout\t3\nline break \t9007199254740993\n`,
    );
    expect((await file(`format=ndjson&${filter}`)).text).to.equal('{"id":3,"name":"out"}\n');
    expect((await file(`download=true&${filter}`)).text).to.equal('[\n{"id":3,"name":"out"}\n]\n');
    expect((await file("format=csv&group=name&aggregate=sum:price&sort=-sum:price")).text.split("\r\n")[1]).to.equal(
      `"'=HYPERLINK(""x"")",-1.5`,
    );
  });

  it("sends them as a spreadsheet: numbers, dates, and text that is never a formula @all", async function () {
    this.timeout(60_000);
    await start();
    const id = await list([
      { constructor: "toString", name: "=1+1", price: 1.5, born: "2024-02-29", at: "2024-05-01T10:30:00+02:00" },
      { constructor: "_x0041_ <&>", name: " a\nb", price: -2, born: null, at: "2024-05-01T00:00:00Z", id: 2n ** 60n },
      { name: "x".repeat(40_000), price: true, born: "2024-03-01", at: "2024-05-02 06:00", tags: ["a"] },
    ]);
    const type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    const answer = await fetch(`${daemon.url}/-/results/${id}`, { headers: { accept: type } });
    expect(answer.headers.get("content-type")).to.equal(type);
    expect(answer.headers.get("content-disposition")).to.include(`list_pets-${id}.xlsx`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(cellsOf(bytes)).to.deep.equal([
      ["constructor", "name", "price", "born", "at", "id", "tags"],
      ["toString", "=1+1", 1.5, 45_351, 45_413.4375],
      ["_x0041_ <&>", " a\nb", -2, null, 45_413, "1152921504606846976"],
      [null, `${"x".repeat(32_766)}…`, true, 45_352, 45_414.25, null, '["a"]'],
    ]);
    expect(filesOf(bytes).get("xl/worksheets/sheet1.xml")).to.not.include("<f>");
    const grouped = await fetch(`${daemon.url}/-/results/${id}?format=xlsx&group=born:month&where=%7B"price":-2%7D`);
    expect(cellsOf(new Uint8Array(await grouped.arrayBuffer()))).to.deep.equal([
      ["born", "count"],
      [null, 1],
    ]);
    const columns = Object.fromEntries(Array.from({ length: 2_500 }, (_, n) => [`c${n}`, n]));
    const wide = await list(Array.from({ length: 801 }, () => columns));
    const refused = await get(`/-/results/${wide}?format=xlsx`);
    expect(refused.status).to.equal(400);
    expect(refused.text).to.include("format=csv");
  });
});
