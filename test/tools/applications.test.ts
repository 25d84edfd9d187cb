// The tools of several applications in one catalogue: what the hints in their arguments call other tools.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { impliedByTransport } from "../../src/applications/kinds.js";
import { sqlSource } from "../../src/applications/sql/source.js";
import { applicationSettings } from "../../src/config/application.js";
import { type JsonObject, listOf, objectOf, parseJson, toJson } from "../../src/lib/json.js";
import { openApplications } from "../../src/tools/applications.js";
import { keptLog } from "../support/daemon.js";
import { createDatabase } from "../support/database.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const WAREHOUSE =
  "CREATE TABLE shelves (id INTEGER PRIMARY KEY); CREATE TABLE stock (id INTEGER PRIMARY KEY, shelf INT REFERENCES shelves)";
const APIARY =
  "CREATE TABLE keepers (id INTEGER PRIMARY KEY); CREATE TABLE hives (id INTEGER PRIMARY KEY, keeper INT REFERENCES keepers)";

async function databaseOf(sql: string): Promise<JsonObject> {
  const { file } = await createDatabase(sql);
  return (await sqlSource.read({ location: file })).document;
}

const described = (parameters: unknown, ...path: string[]): unknown =>
  path.reduce(
    (schema: JsonObject, name) => objectOf(objectOf(schema["properties"])[name]),
    objectOf(parameters as never),
  )["description"];

describe("Hints at other tools", () => {
  let dir: string;
  let warehouse: JsonObject;
  let apiary: JsonObject;
  before(async () => {
    [warehouse, apiary] = await Promise.all([databaseOf(WAREHOUSE), databaseOf(APIARY)]);
  });
  beforeEach(() => {
    dir = temporaryFolder("hints");
    mkdirSync(join(dir, "schemas"));
    mkdirSync(join(dir, "overrides"));
  });

  const write = (file: string, value: object): void => writeFileSync(join(dir, file), toJson(value as JsonObject));
  const open = () => {
    const applications = new Map();
    const target = applicationSettings({ target: undefined as never, applications }, "any");
    const settings = {
      dataDir: dir,
      schemaFile: join(dir, "schema.json"),
      schemaGiven: false,
      permissions: {},
      target,
    };
    const { log } = keptLog();
    return openApplications({ ...settings, applications } as never, { log, implied: impliedByTransport }).current();
  };
  const hint = (tool: string, ...path: string[]): unknown =>
    described(open().catalogue.action(tool)?.parameters, ...path);

  it("call them what they are called beside those of other applications", () => {
    write("schemas/warehouse.json", warehouse);
    write("schemas/bee-yard.json", apiary);
    expect(hint("warehouse_create_stock", "shelf")).to.equal("id of a shelf (warehouse_list_shelves)");
    expect(hint("warehouse_list_stock", "where", "shelf")).to.equal("id of a shelf (warehouse_list_shelves)");
    expect(hint("bee_yard_update_hives", "keeper")).to.equal("id of a keeper (bee_yard_list_keepers)");
  });

  it("stand so in the document that is made of all", () => {
    write("schema.json", warehouse);
    write("schemas/bee-yard.json", apiary);
    const served = objectOf(parseJson(Buffer.from(open().served.bytes).toString()));
    const actions = listOf(served["resources"]).flatMap((resource) => listOf(objectOf(resource)["actions"]));
    const hintIn = (tool: string, argument: string): unknown =>
      described(actions.map(objectOf).find(({ name }) => name === tool)?.["parameters"], argument);
    expect(hintIn("bee_yard_create_hives", "keeper")).to.equal("id of a keeper (bee_yard_list_keepers)");
    expect(hintIn("create_stock", "shelf")).to.equal("id of a shelf (list_shelves)");
  });

  it("follow a tool that the operator calls something else", () => {
    write("schema.json", warehouse);
    write("overrides.json", { list_shelves: { name: "racks" } });
    write("schemas/yard.json", apiary);
    write("overrides/yard.json", { list_keepers: { name: "who_keeps" } });
    expect(hint("create_stock", "shelf")).to.equal("id of a shelf (racks)");
    expect(hint("yard_create_hives", "keeper")).to.equal("id of a keeper (yard_who_keeps)");
  });

  it("are of no concern to what an application of another kind says", () => {
    const parameters = {
      type: "object",
      properties: { shelf: { type: "string", description: "a shelf (list_shelves)" } },
    };
    const transport = { kind: "http", method: "GET", path: "/shelves" };
    const actions = ["list_shelves", "find"].map((name) => ({ name, parameters, transport }));
    write("schemas/web.json", { resources: [{ name: "shelves", actions }] });
    expect(hint("web_find", "shelf")).to.equal("a shelf (list_shelves)");
  });
});
