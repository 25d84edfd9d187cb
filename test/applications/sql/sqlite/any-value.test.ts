// Columns of numbers with what is none, which SQLite keeps in any column: shown, found, put in order page by page, and totalled.
// Source: docs/databases.md, "Values".
import { expect } from "chai";
import { type JsonObject, type JsonValue, listOf, objectOf } from "../../../../src/lib/json.js";
import { type DatabaseDaemon, startDatabaseDaemon } from "../../../support/database.js";

const ROWS: [id: number, weight: string][] = [
  [1, "1.5"],
  [2, "9e999"],
  [3, "-9e999"],
  [4, "'heavy'"],
  [5, "NULL"],
  [6, "2.5"],
  [7, "9e999"],
  [8, "-9e999"],
  [9, "x'00ff'"],
  [10, "x'00ff'"],
];
const IN_ORDER = [5, 3, 8, 1, 6, 2, 7, 4, 9, 10];

describe("SQLite: what is no number in a column of numbers", () => {
  let daemon: DatabaseDaemon;
  before(async () => {
    const values = ROWS.map(([id, weight]) => `(${id}, ${weight}, ${weight}, ${weight})`).join(", ");
    daemon = await startDatabaseDaemon(
      `CREATE TABLE m (id INTEGER PRIMARY KEY, weight REAL, price NUMERIC, n INTEGER); INSERT INTO m VALUES ${values}`,
    );
  });
  after(() => daemon.close());

  const list = async (args: JsonObject): Promise<JsonObject[]> =>
    listOf(await daemon.result("list_m", args)).map(objectOf);
  const ids = async (where: JsonObject): Promise<JsonValue[]> => (await list({ where })).map(({ id = null }) => id);

  for (const column of ["weight", "price", "n"])
    describe(column, () => {
      it("is shown as a text", async () => {
        const rows = await list({});
        expect(rows.slice(1, 5).map((row) => row[column])).to.deep.equal(["Infinity", "-Infinity", "heavy", null]);
      });

      it("is found by that text, and is not greater than a number unless it is infinite", async () => {
        expect(await ids({ [column]: { eq: "Infinity" } })).to.deep.equal([2, 7]);
        expect(await ids({ [column]: { in: ["-Infinity", "heavy"] } })).to.deep.equal([3, 4, 8]);
        expect(await ids({ [column]: { gt: 2 } })).to.deep.equal([2, 6, 7]);
        expect(await ids({ [column]: { gte: 2.5, lt: 1000 } })).to.deep.equal([6]);
        expect(await ids({ [column]: { lt: 2 } })).to.deep.equal([1, 3, 8]);
        expect(await ids({ [column]: { lt: "Infinity" } })).to.deep.equal([1, 3, 6, 8]);
      });

      it("ends no order that is read page by page, and stands in it once", async () => {
        for (const [order_by, expected] of [
          [[column, "id"], IN_ORDER],
          [[`-${column}`, "-id"], [...IN_ORDER].reverse()],
        ] as const) {
          const found: JsonValue[] = [];
          let last: JsonObject | undefined;
          for (let page = 0; page <= ROWS.length; page++) {
            const [row] = await list({ order_by: [...order_by], limit: 1, ...(last && { after: last }) });
            if (!row) break;
            found.push(row["id"] ?? null);
            last = { [column]: row[column] ?? null, id: row["id"] ?? null };
          }
          expect(found).to.deep.equal(expected);
        }
      });
    });
});
