// Answers made of rows that are not a JSON list: JSON texts one after the other, and comma-separated values.
import { rmSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { createCsvSplitter } from "../../../../src/applications/http/answer/csv.js";
import { createLineSplitter } from "../../../../src/applications/http/answer/json-lines.js";
import { mediaTypeOf } from "../../../../src/applications/http/answer/media-type.js";
import { createHttpTransport } from "../../../../src/applications/http/transport.js";
import type { Outcome, Transport } from "../../../../src/applications/transport.js";
import { type JsonObject, type JsonValue, toJson } from "../../../../src/lib/json.js";
import type { Rows } from "../../../../src/results/rows.js";
import { allOnly } from "../../../support/all.js";
import { httpAction, objectIn, send, targetAt } from "../../../support/http.js";
import { watchMemory } from "../../../support/live-memory.js";
import { type RecordingTarget, response, startTarget } from "../../../support/target.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const MIB = 1024 * 1024;
const NDJSON = "application/x-ndjson";
const CSV = "text/csv";

describe("answers made of rows", () => {
  let server: RecordingTarget;
  let transport: Transport;
  let folder: string;
  beforeEach(async () => {
    server = await startTarget();
    folder = temporaryFolder("rows");
    transport = createHttpTransport({ spoolFolder: folder });
  });
  afterEach(async () => {
    await transport.close?.();
    await server.close();
  });

  const action = (method: string) => httpAction({ method, path: "/x", parameters: [] });
  const answered = (type: string, body: string | Buffer, status = 200, method = "GET"): Promise<Outcome> => {
    server.answer(() => response(status, { "Content-Type": type }, body));
    // Hundreds of megabytes take their time on a busy machine.
    return send(transport, action(method), {}, targetAt(server.url, { timeoutMs: 60_000 }));
  };
  const value = async (type: string, body: string | Buffer): Promise<JsonValue> => (await answered(type, body)).value;
  const cases = async (type: string, all: [body: string, expected: JsonValue][]): Promise<void> => {
    for (const [body, expected] of all)
      expect(await value(type, body), `${type} ${JSON.stringify(body)}`).to.deep.equal(expected);
  };

  describe("one JSON text a line", () => {
    it("are a list, with every digit, whatever the line ends and however the type is spelt", async () => {
      const types = ["ndjson", "x-ndjson", "jsonl", "x-jsonlines", "vnd.shop+jsonl"].map(
        (name) => `application/${name}`,
      );
      for (const type of [...types, "Application/X-NDJSON; Charset=UTF-8"])
        await cases(type, [['{"id":12345678901234567890}\n{"id":2}\n', [{ id: 12345678901234567890n }, { id: 2 }]]]);
      await cases(NDJSON, [
        ['\ufeff{"a":1}\r\n\r\n  \n[2]\r\n"three"', [{ a: 1 }, [2], "three"]],
        ['{"a":1}\n\u00a0\n', '{"a":1}\n\u00a0\n'],
        ['{"a":1}', [{ a: 1 }]],
        ['"\u2028"\n', ["\u2028"]],
        ["\n", []],
      ]);
    });

    it("are read in another charset", async () => {
      const bytes = Buffer.from('{"a":"é"}\n{"a":"ü"}', "latin1");
      expect(await value(`${NDJSON}; charset=ISO-8859-1`, bytes)).to.deep.equal([{ a: "é" }, { a: "ü" }]);
    });

    it("stay text when one of them is not JSON", async () => {
      for (const body of ['{"a":1}\n{"a":\n', '{"a":1} {"b":2}', "plain", `${"[".repeat(600)}${"]".repeat(600)}`])
        expect(await value(NDJSON, body)).to.equal(body);
    });

    it("are reported with a failure, too", async () => {
      expect(objectIn(await answered(NDJSON, '{"line":1}\n{"line":2}', 422))).to.deep.include({
        error: "http_422",
        body: [{ line: 1 }, { line: 2 }],
      });
    });
  });

  describe("JSON texts behind separators (RFC 7464)", () => {
    it("are a list, line ends inside of them or not", async () => {
      const all: [string, JsonValue][] = [
        ['\x1e{"a":1}\n\x1e{\n "a": 2\n}\n', [{ a: 1 }, { a: 2 }]],
        ['\x1e\x1e[1]\x1e"x"\n\x1e7\n', [[1], "x", 7]],
      ];
      await cases("application/json-seq", all);
      await cases("application/geo+json-seq", all);
    });

    it("stay text when one of them is not JSON, or a number that may have been cut", async () => {
      for (const body of ['\x1e{"a":1}\n\x1e{"a"\n', "\x1e12\x1e34\n", "\x1e1\n\x1e23"])
        expect(await value("application/json-seq", body)).to.equal(body);
    });
  });

  describe("comma-separated values (RFC 4180)", () => {
    it("are a list of objects by the names of the first line, every cell the text it is", async () => {
      await cases(CSV, [
        ["id,zip,big\r\n1,00420,12345678901234567890\r\n", [{ id: "1", zip: "00420", big: "12345678901234567890" }]],
        [
          'a,b\n"x ""y"", z","1\r\n2"\n, \n',
          [
            { a: 'x "y", z', b: "1\r\n2" },
            { a: "", b: " " },
          ],
        ],
        ['\ufeff"a", b \n1,2', [{ a: "1", b: "2" }]],
        [
          "a,b\r\n1,2\n\n\r\n3,4",
          [
            { a: "1", b: "2" },
            { a: "3", b: "4" },
          ],
        ],
        ["a\n1\n2\n", [{ a: "1" }, { a: "2" }]],
        ['a\n""\n', [{ a: "" }]],
        [
          'a,b\n5" nail,the "best"\r\n"",\r',
          [
            { a: '5" nail', b: 'the "best"' },
            { a: "", b: "\r" },
          ],
        ],
      ]);
      await cases("application/csv", [["a\n1", [{ a: "1" }]]]);
    });

    it("have distinct names, also where the first line has none or the same ones", async () => {
      const cells = "1,2,3,4,5,6";
      const names = async (line: string): Promise<string[]> =>
        Object.keys(((await value(CSV, `${line}\n${cells}`)) as [object])[0]);
      expect(await names("a,a,,a,a_2,")).to.deep.equal(["a", "a_2", "column_3", "a_3", "a_2_2", "column_6"]);
      expect(await names("column_2,,,x")).to.deep.equal([
        ...["column_2", "column_2_2", "column_3", "x", "column_5", "column_6"],
      ]);
      expect(await names("__proto__,constructor,toString,a,b,c")).to.include.members(["__proto__", "toString"]);
    });

    it("have no names where the type declares none", async () => {
      await cases(`${CSV}; header=absent; charset=utf-8`, [
        [
          "a,1\nb,2",
          [
            { column_1: "a", column_2: "1" },
            { column_1: "b", column_2: "2" },
          ],
        ],
      ]);
      await cases(`${CSV};header="present"`, [["a\nb", [{ a: "b" }]]]);
    });

    it("may be ragged: a missing cell is left out, one too many gets a name", async () => {
      await cases(CSV, [
        [
          "a,b\n1\n1,2,3\n1,2,3,4",
          [{ a: "1" }, { a: "1", b: "2", column_3: "3" }, { a: "1", b: "2", column_3: "3", column_4: "4" }],
        ],
      ]);
    });

    it("G16 take no longer when half a million cells are missing @all", async () => {
      const before = performance.now();
      const rows = (await value(CSV, `a,b\n${"1\n".repeat(MIB / 2 - 2)}`)) as JsonValue[];
      // Measured: 0.3 s on two busy cores, and 20 s with a parser that makes an error of every line it forgives.
      expect(performance.now() - before).to.be.below(5_000);
      expect(rows.length).to.equal(MIB / 2 - 2);
      expect(rows.at(-1)).to.deep.equal({ a: "1" });
    });

    it("may have other delimiters, found in the first line", async () => {
      await cases(CSV, [
        ["a;b\n1,5;2", [{ a: "1,5", b: "2" }]],
        ['"Preis, EUR";b\n1,5;2', [{ "Preis, EUR": "1,5", b: "2" }]],
        ["a\tb\n1\t2", [{ a: "1", b: "2" }]],
        ["a,b;c\n1,2", [{ a: "1", "b;c": "2" }]],
      ]);
      await cases("text/tab-separated-values", [['a\tb\r\n"1\t2;3,4\r\n', [{ a: '"1', b: "2;3,4" }]]]);
    });

    it("are read in the charset they name", async () => {
      const text = "jméno,věk\nkůň,7\n";
      const expected = [{ jméno: "kůň", věk: "7" }];
      const cp1250 = Buffer.from(
        [...text].map((one) => ({ é: 0xe9, ě: 0xec, ů: 0xf9, ň: 0xf2 })[one] ?? one.charCodeAt(0)),
      );
      expect(await value(`${CSV}; charset=windows-1250`, cp1250)).to.deep.equal(expected);
      expect(await value(`${CSV}; charset="utf-16le"`, Buffer.from(`\ufeff${text}`, "utf16le"))).to.deep.equal(
        expected,
      );
      // Letters whose bytes, read one by one, hold a comma and a line end.
      const tricky = Buffer.from("\u012c;\u010a\n1;2\n", "utf16le");
      expect(await value(`${CSV}; charset=utf-16le`, tricky)).to.deep.equal([{ "\u012c": "1", "\u010a": "2" }]);
      expect(await value(`${CSV}; charset=nonsense`, text)).to.deep.equal(expected);
    });

    it("stay text when they are broken, when there is no row, and when the table is of no use", async () => {
      const wide = "a,".repeat(20_000);
      const long = `${"n".repeat(500_000)},b\n${"x\n".repeat(1_000)}`;
      const broken = ['"2\n3,4\n', '"1" 2,3\n', '"1"\r,3', '"1"\r', ' "x, y",3'].map((row) => `a,b\n1,${row}`);
      for (const body of [...broken, "id,name\r\n", "not found", "\n\n"]) expect(await value(CSV, body)).to.equal(body);
      for (const body of [`${wide}\n1`, `a\n${wide}`, long]) expect((await value(CSV, body)) === body).to.equal(true);
    });
  });

  it("reports the status where there is no body, and bytes that are no text", async () => {
    for (const type of [NDJSON, CSV, "application/json-seq", "text/tab-separated-values"]) {
      expect(await value(type, "")).to.deep.equal({ status: 200 });
      expect((await answered(type, "", 200, "HEAD")).value).to.deep.equal({ status: 200 });
      expect(await value(type, "a,b\n\0,1")).to.deep.include({ binary: true });
    }
  });

  it("gives the same rows in whichever pieces a long answer arrives", async () => {
    const nasty = [
      ["a", "b"],
      ['ž\r\n"', ""],
      [",", "\n\n"],
      ["", 'ů""'],
      ["x", "y"],
    ];
    const csv = nasty.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")).join("\r\n");
    const table = nasty.slice(1).map(([a, b]) => ({ a, b }));
    const items = [{ a: "ž" }, 1, [[]], 'x"\\', null];
    const lines = items.map((item) => JSON.stringify(item)).join(" \r\n\n");
    const sequence = items.map((item) => `\x1e${JSON.stringify(item, null, 2)}\n`).join("");
    for (const size of [1, 2, 3, 5, 7, 1000])
      for (const [splitter, body, expected] of [
        [createCsvSplitter(Buffer.from(csv), mediaTypeOf(CSV)), csv, table],
        [createCsvSplitter(Buffer.from(csv), mediaTypeOf(CSV)), `\ufeff${csv}\r\n`, table],
        [createLineSplitter(Buffer.from(lines), "lines")?.splitter, lines, items],
        [createLineSplitter(Buffer.from(lines), "lines")?.splitter, `\n ${lines}\n`, items],
        [createLineSplitter(Buffer.from(sequence), "sequence")?.splitter, sequence, items],
      ] as const) {
        if (!splitter) throw new Error("not taken");
        const bytes = Buffer.from(body);
        const out: Buffer[] = [];
        const keep = (made: Iterable<Buffer>): void => {
          for (const one of made) out.push(Buffer.from(one));
        };
        for (let at = 0; at < bytes.length; at += size) keep(splitter.cut(Buffer.from(bytes.subarray(at, at + size))));
        keep(splitter.finish());
        expect(splitter).to.include({ count: expected.length, isOver: false });
        const text = Buffer.concat(out).toString("utf8", 0, splitter.end).trimEnd();
        expect(
          text.split("\n").map((line) => JSON.parse(line)),
          `${size} ${body}`,
        ).to.deep.equal(expected);
      }
  });

  it("gives the same rows wherever the packets end, and compressed", async () => {
    const bodies: [string, Buffer, JsonValue][] = [
      [
        CSV,
        Buffer.from('\ufeffa,b\r\n"ž\r\n""",ů\r\n1,2'),
        [
          { a: 'ž\r\n"', b: "ů" },
          { a: "1", b: "2" },
        ],
      ],
      [NDJSON, Buffer.from('\ufeff{"a":"ž"}\r\n{"a":2}'), [{ a: "ž" }, { a: 2 }]],
    ];
    for (const [type, body, expected] of bodies) {
      server.answer(() => response(200, { "Content-Type": type, "Content-Encoding": "gzip" }, gzipSync(body)));
      expect((await send(transport, action("GET"), {}, targetAt(server.url))).value).to.deep.equal(expected);
      server.answer(() => (socket) => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`);
        for (const byte of body) socket.write(Buffer.from([49, 13, 10, byte, 13, 10]));
        socket.write("0\r\n\r\n");
      });
      expect((await send(transport, action("GET"), {}, targetAt(server.url))).value).to.deep.equal(expected);
    }
  });

  describe("when they are long", function () {
    this.timeout(60_000);
    const rowsOf = ({ rows }: Outcome): Rows => {
      if (!rows) throw new Error("the rows were not set aside");
      return rows;
    };
    const all = async (rows: Rows, from?: number): Promise<JsonValue[]> => {
      const list: JsonValue[] = [];
      for await (const batch of rows.read(from)) list.push(...batch);
      await rows.close();
      return list;
    };
    const COUNT = 20_000;
    const list = Array.from({ length: COUNT }, (_, n) => ({
      id: `${10n ** 18n + BigInt(n)}`,
      text: `${n}: "é", ${"x".repeat(n % 90)}\nand more`,
      n: `${n}`,
    }));
    /** Rows as one text, kinds of values included; comparing them one by one takes seconds. */
    const text = (rows: JsonValue): string =>
      (rows as JsonObject[]).map(({ id, text, n }) => `${typeof id} ${id} ${text} ${typeof n} ${n}`).join("\n");
    const csv = (rows: typeof list, end = "\r\n"): string =>
      ["id,text,n", ...rows.map(({ id, text, n }) => `${id},"${text.replaceAll('"', '""')}",${n}`)].join(end);
    const lines = list.map(({ id, text, n }) => `{"id":${id},"text":${JSON.stringify(text)},"n":${n}}`);
    const expected = list.map(({ id, text, n }) => ({ id: BigInt(id), text, n: Number(n) }));

    const pretty = (): string => lines.map((line) => `\x1e${line.replaceAll(',"n"', ',\n\t"n"')}\n`).join("");
    const long: [what: string, type: string, body: () => string | Buffer, sent: JsonValue[]][] = [
      ["JSON texts behind a byte order mark", NDJSON, () => `\ufeff${lines.join("\r\n\r\n")}`, expected],
      ["comma-separated", CSV, () => `\ufeff${csv(list)}`, list],
      ["JSON texts between empty lines", NDJSON, () => `\n \n${lines.join("\n")}\n`, expected],
      ["JSON texts of several lines", "application/json-seq", pretty, expected],
      ["comma-separated between empty lines", CSV, () => `${csv(list, "\n\n")}\n\n`, list],
      ["in Latin-1", `${CSV}; charset=latin1`, () => Buffer.from(csv(list), "latin1"), list],
      ["in UTF-16", `${CSV}; charset=utf-16le`, () => Buffer.from(`\ufeff${csv(list)}`, "utf16le"), list],
    ];
    for (const [index, [what, type, body, sent]] of long.entries())
      it(`are set aside, every one of them, and the first ones stay in memory: ${what}${allOnly(index > 1)}`, async () => {
        const outcome = await answered(type, body());
        const rows = rowsOf(outcome);
        expect(rows).to.include({ count: COUNT, truncated: false }).and.deep.include({ path: [] });
        const first = outcome.value as JsonValue[];
        expect(first.length).to.be.within(1_000, 20_000);
        expect(text(first) === text(sent.slice(0, first.length))).to.equal(true);
        expect(text(await all(rows)) === text(sent)).to.equal(true);
      });

    it("stay text up to the cap when their beginning is not what their type names @all", async () => {
      for (const [type, body] of [
        [NDJSON, `oops\n${lines.join("\n")}`],
        [CSV, `"${csv(list)}`],
        [CSV, `"a"${csv(list)}`],
        [`${NDJSON}; charset=latin1`, Buffer.from(lines.join("\n"), "latin1")],
        [NDJSON, `${"x".repeat(2 * MIB)}\n{}`],
        [CSV, `a,b\n1,"${csv(list).replaceAll('"', "")}`],
      ] as const) {
        const { rows, value: given } = await answered(type, body);
        expect(rows).to.equal(undefined);
        if (type !== `${NDJSON}; charset=latin1`) expect(given === body).to.equal(true);
        else expect(text(given) === text(expected)).to.equal(true);
      }
      const long = csv(Array(8).fill(list).flat());
      expect(objectIn(await answered(CSV, `"${long}`))).to.include({ truncated: true, bytes_read: 8 * MIB });
    });

    it("keep a line that is not JSON as text, and end where CSV breaks or a row does not end, and are marked as cut @all", async () => {
      const bad = await answered(NDJSON, `${lines.join("\n")}\noops\n${lines[0]}\n{"cut`);
      expect(rowsOf(bad)).to.include({ count: COUNT + 3, truncated: false });
      expect(await all(rowsOf(bad), COUNT - 1)).to.deep.equal([expected[COUNT - 1], "oops", expected[0], '{"cut']);
      const whole = csv(list);
      for (const tail of [
        '\r\n1,"2',
        '\r\n1,"5" nail,3\r\n4,5,6',
        `\r\n"${"x".repeat(3 * MIB)}`,
        `\r\n${",".repeat(10_000)}\r\n4,5,6`,
      ]) {
        const rows = rowsOf(await answered(CSV, whole + tail));
        expect(rows, tail.slice(0, 9)).to.include({ count: COUNT, truncated: true });
        expect((await all(rows, COUNT - 1))[0]).to.deep.equal(list[COUNT - 1]);
      }
      const blank = rowsOf(await answered(CSV, whole + "\n".repeat(3 * MIB)));
      expect(blank).to.include({ count: COUNT, truncated: false });
      await blank.close();
      const endless = rowsOf(await answered(NDJSON, `${lines.join("\n")}\n"${"x".repeat(12 * MIB)}"`));
      expect(endless).to.include({ count: COUNT, truncated: true });
      await endless.close();
    });

    it("G16 end at the cap when few bytes make long rows, in bounded memory @all", async () => {
      const growthOf = watchMemory();
      const outcome = await answered(CSV, `${"n".repeat(10_000)},b\n${"x\n".repeat(2 * MIB)}`);
      // Measured: 9 MiB in use; the rows have 256.
      expect(growthOf()).to.be.below(32 * MIB);
      expect(rowsOf(outcome).truncated).to.equal(true);
      expect(rowsOf(outcome).bytes).to.be.within(256 * MIB, 257 * MIB);
      expect(toJson(outcome.value).length).to.be.below(2 * MIB);
      await rowsOf(outcome).close();
    });

    it("stay in memory up to the cap when there is no space on disk, and are cut text above it", async () => {
      rmSync(folder, { recursive: true });
      for (const [type, body, sent] of [
        [CSV, csv(list), list],
        [NDJSON, lines.join("\n"), expected],
      ] as const) {
        const { rows, value: given } = await answered(type, body);
        expect(rows).to.equal(undefined);
        expect(text(given) === text(sent)).to.equal(true);
      }
      const long = lines.join("\n").repeat(8);
      const cut = objectIn(await answered(NDJSON, long));
      expect(cut).to.include({ truncated: true, bytes_read: 8 * MIB });
      expect(long.startsWith(String(cut["body"]).slice(0, -1))).to.equal(true);
    });
  });
});
