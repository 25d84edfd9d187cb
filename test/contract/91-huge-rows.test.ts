// Results of 50 MB that are not a JSON list, through a daemon in a process of its own: 100,000 rows of CSV and of NDJSON behave as
// 100,000 rows of JSON do. Source: docs/reference.md, "Row formats" and "Large results".
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline, Readable } from "node:stream";
import { expect } from "chai";
import type { AgentEvent } from "../../src/domain/event.js";
import { type JsonObject, type JsonValue, parseJson, toJson } from "../../src/lib/json.js";
import type { ScriptedReply } from "../../src/providers/scripted.js";
import { petShop } from "../support/daemon.js";
import { type DaemonProcess, MAX_LIVE_GROWTH, spawnDaemon } from "../support/daemon-process.js";
import { postJson } from "../support/entry-points.js";

const ROWS = 100_000;
const MIB = 1024 * 1024;
/** Longer than a double holds, in the last tenth. */
const idOf = (n: number): number | bigint => (n < ROWS * 0.9 ? n : 10n ** 18n + BigInt(n));
const note = "lorem ipsum, dolor sit amet; ".repeat(17);

/** A pet as a line of the answer, and as the row it becomes. */
interface Kind {
  type: string;
  head: string;
  line(n: number): string;
  row(n: number): JsonObject;
}

const pet = (n: number): JsonObject => ({
  id: idOf(n),
  zip: `0${n}`,
  state: n % 4 === 0 ? "sold" : "open",
  weight: n / 2,
  password: `hidden-${n}`,
  note,
});
const KINDS: Kind[] = [
  {
    type: "text/csv; charset=utf-8",
    head: "id,zip,state,weight,password,note\r\n",
    line: (n) => `${idOf(n)},0${n},${pet(n)["state"]},${(n / 2).toFixed(2)},hidden-${n},"${note}"\r\n`,
    row: (n) => ({ ...pet(n), id: `${idOf(n)}`, weight: (n / 2).toFixed(2) }),
  },
  { type: "application/x-ndjson", head: "", line: (n) => `${toJson(pet(n))}\n`, row: pet },
];

/** A target that sends all pets, a thousand at a time, as fast as they are taken. */
async function startPets({ type, head, line }: Kind): Promise<Server> {
  function* blocks(): Generator<string> {
    if (head !== "") yield head;
    for (let from = 0; from < ROWS; from += 1000) yield Array.from({ length: 1000 }, (_, i) => line(from + i)).join("");
  }
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": type });
    pipeline(Readable.from(blocks(), { objectMode: false, highWaterMark: MIB }), response, () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

for (const kind of KINDS)
  describe(`Row formats: huge results of ${kind.type} @all`, () => {
    let target: Server;
    let daemon: DaemonProcess;
    before(async function () {
      this.timeout(60_000);
      target = await startPets(kind);
      const address = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
      const list: ScriptedReply = { calls: [{ id: "all", name: "list_pets", arguments: {} }] };
      const reading = (args: JsonObject): ScriptedReply => ({
        calls: [{ id: "again", name: "read_result", arguments: { call_id: "all", ...args } as never }],
      });
      const turns = [
        { prompt: "list all", replies: [list, reading({ count: true }), { text: "done" }] },
        ...Object.entries<JsonObject>({
          open: { where: { state: "open" }, count: true },
          last: { offset: ROWS - 1 },
          // The long one as text, because a script is JSON; the number is 48888.50 in CSV.
          one: { where: { id: `${idOf(97_777)}`, weight: 48_888.5 }, fields: ["zip"] },
        }).map(([prompt, args]) => ({ prompt, replies: [reading(args), { text: "done" }] })),
      ];
      daemon = await spawnDaemon({ target: address, schema: petShop(address), turns });
    });
    after(async () => {
      await daemon?.close();
      target.closeAllConnections();
      await new Promise((resolve) => target.close(resolve));
    });

    const ask = async (message: string): Promise<JsonObject[]> => {
      const answer = parseJson(await (await postJson(`${daemon.url}/run`, { message, session_id: "s" })).text());
      return (answer as unknown as { events: AgentEvent[] }).events.flatMap((event) =>
        event.kind === "tool_result" ? [{ status: event.status, ...(event.result as JsonObject) }] : [],
      );
    };
    const only = async (message: string): Promise<JsonObject> => (await ask(message))[0] ?? {};
    const redacted = (row: JsonObject): JsonValue => ({ ...row, password: "[redacted]" });

    it("G16 are read in bounded memory", async function () {
      this.timeout(60_000);
      await ask("nothing");
      let [listed = {}, counted]: JsonObject[] = [];
      const { liveGrowth, stalledMs } = await daemon.watch(async () => {
        [listed = {}, counted] = await ask("list all");
      });
      expect(liveGrowth).to.be.below(MAX_LIVE_GROWTH);
      expect(stalledMs).to.be.below(1_000);
      expect(listed)
        .to.include({ status: "ok", truncated: true, total_items: ROWS })
        .and.not.have.property("incomplete");
      expect(listed["total_characters"]).to.be.above(50_000_000);
      expect(counted).to.deep.equal({ status: "ok", count: ROWS, total_items: ROWS });
    });

    it("are their first rows in the history, without secrets", async () => {
      const history = await (await fetch(`${daemon.url}/history?tool=list_pets`)).text();
      expect(history.length).to.be.within(900_000, MIB + 2_000);
      const [row] = parseJson(history) as { result: { items: JsonObject[] } }[];
      expect(row?.result.items.length).to.be.above(1_000);
      expect(row?.result.items[5]).to.deep.equal(redacted(kind.row(5)));
    });

    it("are counted, filtered and paged with every digit over all rows in later turns of the session", async function () {
      this.timeout(60_000);
      expect(await only("open")).to.include({ count: (ROWS / 4) * 3, total_items: ROWS });
      expect(await only("last")).to.deep.include({ matching_items: ROWS, items: [redacted(kind.row(ROWS - 1))] });
      expect(await only("one")).to.deep.include({ matching_items: 1, items: [{ zip: "097777" }] });
    });
  });
