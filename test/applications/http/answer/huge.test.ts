// Answers too long for memory: cut into rows while they stream by, set aside in a file without a name.
import { readdirSync, rmSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createGzip } from "node:zlib";
import { expect } from "chai";
import { createElementSplitter, findList } from "../../../../src/applications/http/answer/list-elements.js";
import { createHttpTransport } from "../../../../src/applications/http/transport.js";
import type { Outcome, Transport } from "../../../../src/applications/transport.js";
import type { JsonValue } from "../../../../src/lib/json.js";
import type { Rows } from "../../../../src/results/rows.js";
import { httpAction, objectIn, send, targetAt } from "../../../support/http.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const MIB = 1024 * 1024;
const nasty = [
  { text: 'a "quoted", [bracketed]\\ thing\\', n: 1 },
  [[], {}, [[","]]],
  '\\\\"',
  null,
  12.5,
  "line\nbreak and žluťoučký \u2028 kůň",
  { deep: { list: [1, { a: ["]"] }] } },
];

/** All rows, in order. */
async function all(rows: Rows, from?: number): Promise<JsonValue[]> {
  const list: JsonValue[] = [];
  for await (const batch of rows.read(from)) list.push(...batch);
  return list;
}

describe("a long list cut into rows", () => {
  const cut = (list: string, size: number): { lines: string[]; count: number } => {
    const splitter = createElementSplitter();
    const bytes = Buffer.from(list).subarray(1);
    const kept: Buffer[] = [];
    for (let at = 0; at < bytes.length && !splitter.hasEnded; at += size) {
      const chunk = Buffer.from(bytes.subarray(at, at + size));
      kept.push(chunk.subarray(0, splitter.split(chunk)));
    }
    return { lines: Buffer.concat(kept).toString("utf8").split("\n"), count: splitter.count };
  };

  it("has one line for each element, wherever the packets end and however the text is laid out", () => {
    for (const text of [JSON.stringify(nasty), JSON.stringify(nasty, null, 2), JSON.stringify(nasty, null, "\t")])
      for (const size of [1, 2, 3, 7, 64, 100_000]) {
        const { lines, count } = cut(text, size);
        expect(
          lines.map((line) => JSON.parse(line)),
          `${size}`,
        ).to.deep.equal(nasty);
        expect(count).to.equal(nasty.length);
      }
  });

  it("is found at the top, inside of objects, and inside of a list of one", () => {
    const many = JSON.stringify(Array.from({ length: 500 }, (_, i) => ({ i, tags: ["a", "b"] }))).slice(0, -1);
    expect(findList(Buffer.from(many))).to.deep.equal({ path: [], start: 1 });
    const wrapped = `\ufeff {"a":{"x":[1,2]}, "d\\"ata":{"items" : ${many}`;
    const found = findList(Buffer.from(wrapped));
    expect(found?.path).to.deep.equal(['d"ata', "items"]);
    expect(Buffer.from(wrapped).toString("utf8", found?.start)).to.equal(many.slice(1));
    expect(findList(Buffer.from(`[[${many}`))?.path).to.deep.equal(["0", "0"]);
  });

  it("is not seen in a text, in a map of objects, in something else than JSON, or too deep inside", () => {
    const map = JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, { tags: [1, 2] }])));
    for (const text of [
      `"${"x".repeat(5000)}`,
      `${map.slice(0, -4)}`,
      `]${"[1,2,".repeat(9)}`,
      "[".repeat(5000),
      "a,b,c",
      "",
    ])
      expect(findList(Buffer.from(text)), text.slice(0, 20)).to.equal(undefined);
  });
});

describe("long answers of the target", () => {
  let server: Server;
  let transport: Transport;
  let folder: string;
  let reply: (response: ServerResponse) => void;
  beforeEach(async () => {
    server = createServer((_request, response) => reply(response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    folder = temporaryFolder("rows");
    transport = createHttpTransport({ spoolFolder: folder });
  });
  afterEach(async () => {
    await transport.close?.();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const get = httpAction({ method: "GET", path: "/x", parameters: [] });
  const ask = (timeoutMs = 15_000): Promise<Outcome> =>
    send(transport, get, {}, targetAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { timeoutMs }));
  const answered = (text: string, headers: Record<string, string> = {}, status = 200): Promise<Outcome> => {
    reply = (response) => response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
    return ask();
  };
  const rowsOf = ({ rows }: Outcome): Rows => {
    if (!rows) throw new Error("the rows were not set aside");
    return rows;
  };
  const list = (count: number): { id: number; name: string; big: string }[] =>
    Array.from({ length: count }, (_, id) => ({ id, name: `n"]${id}`, big: "é".repeat(100) }));

  it("has every row of a list, and the first of them in memory", async () => {
    const sent = list(20_000);
    const outcome = await answered(JSON.stringify(sent));
    const rows = rowsOf(outcome);
    expect(rows).to.include({ count: 20_000, truncated: false }).and.deep.include({ path: [] });
    expect(await all(rows)).to.deep.equal(sent);
    expect(await all(rows, 19_990)).to.deep.equal(sent.slice(19_990));
    expect(await all(rows, 20_000)).to.deep.equal([]);
    const first = outcome.value as JsonValue[];
    expect(first.length).to.be.within(1_000, 19_000);
    expect(first).to.deep.equal(sent.slice(0, first.length));
    await rows.close();
  });

  it("has what surrounds the list, before it and behind it", async () => {
    const sent = list(10_000);
    const outcome = await answered(
      `\ufeff{"meta":{"page":1},"data":{"items":${JSON.stringify(sent)},"next":"p2"},"total":7}`,
    );
    const rows = rowsOf(outcome);
    expect(rows)
      .to.include({ count: 10_000, truncated: false })
      .and.deep.include({ path: ["data", "items"] });
    const { meta, data, total } = objectIn(outcome) as {
      meta: unknown;
      data: { items: unknown[]; next: string };
      total: 7;
    };
    expect({ meta, next: data.next, total }).to.deep.equal({ meta: { page: 1 }, next: "p2", total: 7 });
    expect(data.items[0]).to.deep.equal(sent[0]);
    expect(await all(rows)).to.deep.equal(sent);
    await rows.close();
  });

  it("keeps every digit of large integers", async () => {
    const outcome = await answered(`[${Array.from({ length: 80_000 }, (_, i) => `{"id":${10n ** 18n + BigInt(i)}}`)}]`);
    const rows = rowsOf(outcome);
    expect((await all(rows, 79_999))[0]).to.deep.equal({ id: 10n ** 18n + 79_999n });
    expect((outcome.value as JsonValue[])[1]).to.deep.equal({ id: 10n ** 18n + 1n });
    await rows.close();
  });

  it("leaves no file with a name, and releases the one without when it is closed", async () => {
    const rows = rowsOf(await answered(JSON.stringify(list(10_000))));
    expect(readdirSync(folder)).to.deep.equal([]);
    await rows.close();
    await rows.close();
    const failed = await all(rows).catch((error: NodeJS.ErrnoException) => error.code);
    expect(failed).to.equal("EBADF");
  });

  it("takes a list that is cut, or followed by nonsense, for what arrived whole, and marks it as cut", async () => {
    const sent = JSON.stringify(list(10_000));
    for (const text of [sent.slice(0, -100), `${sent.slice(0, -1)}} nonsense`, `${sent} and more`]) {
      const rows = rowsOf(await answered(text));
      expect(rows.truncated, text.slice(-20)).to.equal(true);
      expect(rows.count).to.be.within(9_990, 10_000);
      expect((await all(rows)).slice(0, 9_990)).to.deep.equal(list(9_990));
      await rows.close();
    }
  });

  it("stops at a row, or at something behind the list, that is too long for memory", async () => {
    const sent = JSON.stringify(list(5_000)).slice(0, -1);
    const endless = `${sent},"${"x".repeat(12 * MIB)}"]`;
    const behind = `{"a":${sent}],"b":"${"x".repeat(3 * MIB)}"}`;
    for (const text of [endless, behind]) {
      const rows = rowsOf(await answered(text));
      expect(rows).to.include({ count: 5_000, truncated: true });
      expect((await all(rows)).length).to.equal(5_000);
      await rows.close();
    }
  });

  it("keeps what is not a list, not JSON in UTF-8, or a failure, in memory up to the cap @all", async () => {
    const text = JSON.stringify(list(20_000));
    expect((await answered(text, { "content-type": "text/plain" })).rows).to.equal(undefined);
    expect((await answered(text, { "content-type": "application/json; charset=latin1" })).rows).to.equal(undefined);
    expect((await answered(text, {}, 500)).rows).to.equal(undefined);
    const map = Object.fromEntries(list(60_000).map((row) => [`k${row.id}`, row]));
    const outcome = await answered(JSON.stringify(map));
    expect(outcome.rows).to.equal(undefined);
    expect(objectIn(outcome)).to.include({ truncated: true, bytes_read: 8 * MIB });
  });

  it("is an error when the target goes away, or takes too long, in the middle", async () => {
    const text = JSON.stringify(list(20_000));
    reply = (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "99999999" });
      response.write(text, () => response.destroy());
    };
    expect(objectIn(await ask())).to.include({ error: "connection_reset" });
    reply = (response) => void response.writeHead(200, { "content-type": "application/json" }).write(text);
    expect(objectIn(await ask(500))).to.include({ error: "timeout" });
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it("cuts the answer as any other when there is no space on disk", async () => {
    rmSync(folder, { recursive: true });
    const outcome = await answered(JSON.stringify(list(60_000)));
    expect(outcome.rows).to.equal(undefined);
    expect(objectIn(outcome)).to.include({ truncated: true, bytes_read: 8 * MIB });
  });

  it("G16 stops at the cap on rows of a list that unpacks to 200 MB, in bounded memory, and releases the connection", async () => {
    reply = (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      const gzip = createGzip({ level: 1 });
      gzip
        .on("error", () => {})
        .pipe(response)
        .on("close", () => gzip.destroy());
      const block = Buffer.from("0,".repeat(MIB / 2));
      let left = 200;
      const more = (): void => {
        while (left-- > 0 && !gzip.destroyed) if (!gzip.write(block)) return void gzip.once("drain", more);
        if (!gzip.destroyed) gzip.end("0]");
      };
      gzip.write("[", more);
    };
    const before = process.memoryUsage().rss;
    const rows = rowsOf(await ask());
    expect(process.memoryUsage().rss - before).to.be.below(128 * MIB);
    expect(rows.truncated).to.equal(true);
    expect(rows.count).to.be.within(5_000_000, 6_000_000);
    await rows.close();
  });
});
