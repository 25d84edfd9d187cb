// Names in a query of a result that no row has.
import { expect } from "chai";
import { checkFields } from "../../../src/cli/terminal/check-fields.js";
import type { ResultQuery } from "../../../src/domain/result-query.js";
import type { JsonValue } from "../../../src/lib/json.js";
import { toRowList } from "../../../src/results/rows-at.js";

const QUERY: ResultQuery = { sort: [], group: [], aggregate: [], offset: 0, limit: 1, count: false, columns: false };
const ROWS: JsonValue[] = [{ id: 1 }, { id: 2, state: "sold", owner: { name: "Ada" } }];

const check = (query: Partial<ResultQuery>, rows = ROWS): Promise<string> =>
  checkFields({ path: "", list: toRowList(rows) }, { ...QUERY, ...query }).then(
    () => "",
    (error: Error) => error.message,
  );

describe("The fields of a query of a result", () => {
  it("are those that any row has, at any depth", async () => {
    expect(await check({ sort: [{ field: "state", descending: true }] })).to.equal("");
    expect(await check({ fields: ["owner.name", "owner/name", "id"] })).to.equal("");
    expect(await check({ fields: ["value"] }, ["a"])).to.equal("");
    expect(await check({ fields: ["anything"] }, [])).to.equal("");
  });

  it("are named, with the nearest, where none has them", async () => {
    const known = "Fields: id, state, owner, owner.name.";
    const said = `no row has a field stte. Did you mean state? ${known}`;
    expect(await check({ filter: [{ field: "stte", op: "empty" }] })).to.equal(said);
    expect(await check({ sort: [{ field: "stte", descending: false }] })).to.equal(said);
    expect(await check({ group: [{ field: "stte" }] })).to.equal(said);
    expect(await check({ fields: ["id", "stte"] })).to.equal(said);
    expect(await check({ aggregate: [{ name: "sum:stte", kind: "sum", field: "stte" }] })).to.equal(said);
    expect(await check({ fields: ["owner.nme"] })).to.include("Did you mean owner.name?");
  });

  it("order groups by what these have", async () => {
    const group = [{ field: "state" }];
    expect(await check({ group, sort: [{ field: "count", descending: true }] })).to.equal("");
    expect(await check({ group, sort: [{ field: "cuont", descending: true }] })).to.equal(
      "the groups have no cuont to sort by. Did you mean count? They have: state, count.",
    );
  });

  it("ask nothing of a result that is no list", async () => {
    const whole = { path: "", value: 1 };
    await checkFields(whole, QUERY);
    const refused = await checkFields(whole, { ...QUERY, fields: ["id"] }).catch((error: Error) => error.message);
    expect(refused).to.include("no list of rows");
  });
});
