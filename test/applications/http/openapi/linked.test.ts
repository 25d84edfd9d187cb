// Descriptions whose entities all reach each other: what is imported is in proportion to what was written, and can be read back.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { Action } from "../../../../src/domain/schema-document.js";
import { type JsonObject, type JsonValue, listOf, objectOf, parseJson, toJson } from "../../../../src/lib/json.js";
import { valueAt } from "../../../../src/lib/json-pointer.js";
import { createArgumentChecks } from "../../../../src/tools/arguments/check.js";
import { allOnly } from "../../../support/all.js";
import { linkedEntities } from "../../../support/linked.js";
import { agentd, sync } from "../../../support/spawn.js";
import { imported, inFolder } from "./imported.js";

/** Of a description's size, what the document made of it may take. */
const MAX_RATIO = 3;

const descriptionsOf = (parameters: unknown): unknown[] =>
  Object.values(objectOf(objectOf(parameters as JsonObject)["properties"])).map((one) => objectOf(one)["description"]);

describe("OpenAPI: linked entities", function () {
  this.timeout(240_000);

  for (const [entities, bytes] of [
    [100, 110_000],
    [100, 1_000_000],
    [400, 440_000],
    [400, 3_000_000],
  ] as const)
    it(`makes a document of at most three times ${bytes / 1000} kB of ${entities} entities, whose tools are whole${allOnly(bytes > 440_000)} @all`, async () => {
      const text = linkedEntities({ entities, bytes });
      const { written, report, action } = await imported(text);
      expect(report).to.deep.include({ operations: 5 * entities, imported: 5 * entities });
      expect(toJson(written).length).to.be.at.most(MAX_RATIO * text.length);
      const source = objectOf(valueAt(parseJson(text), ["components", "schemas", "Entity7"]));
      const { parameters } = action("replaceEntity7");
      // The member that only the target writes is not asked for; the path has one of the same name.
      expect(Object.keys(objectOf(parameters["properties"])).sort()).to.deep.equal(
        Object.keys(objectOf(source["properties"])).sort(),
      );
      expect(descriptionsOf(parameters)).to.have.members(descriptionsOf(source));
      expect(Object.keys(objectOf(parameters["$defs"]))).to.have.length(entities);
    });

  it("checks arguments as deep as they are nested, whatever else can be reached @all", async () => {
    const { document } = await imported(linkedEntities({ entities: 400, bytes: 440_000 }));
    const create = document.actions.find(({ name }) => name === "createEntity7");
    const checks = createArgumentChecks();
    const kindOf = async (args: JsonObject, strict: boolean): Promise<string> =>
      (await checks.check(create as Action, args, strict)).kind;
    const deep = (n: JsonValue): JsonObject => ({ link_0: { link_1: [{ link_2: { link_4: n } }] } });
    try {
      for (const strict of [false, true]) {
        expect(await kindOf(deep({}), strict)).to.equal("valid");
        expect(await kindOf(deep("three"), strict)).to.equal("invalid");
        expect(await kindOf({ link_1: [{ link_3: [{ link_4: true }] }] }, strict)).to.equal("invalid");
      }
      expect(await kindOf(deep({ unknown: 2 }), true)).to.equal("invalid");
    } finally {
      checks.close();
    }
  });

  it("refers to a member where it stands, so that an argument is what the description says of it", async () => {
    const { written } = await imported(linkedEntities({ entities: 100, bytes: 1_000_000 }));
    const actions = listOf(written["resources"]).flatMap((resource) => listOf(objectOf(resource)["actions"]));
    const create = actions.map(objectOf).find(({ name }) => name === "createEntity3");
    const member = objectOf(objectOf(objectOf(create)["parameters"])["properties"])["member_0"];
    expect(member).to.deep.equal({ $ref: "#/$defs/Entity3/properties/member_0" });
    expect(Object.keys(objectOf(written["$defs"]))).to.have.length(100);
  });

  it("writes and reads back 23 MB of 4,000 entities in 600 MB of memory @all", () =>
    inFolder(async (folder) => {
      const file = join(folder, "api.json");
      const data = join(folder, "data");
      mkdirSync(data);
      writeFileSync(file, linkedEntities({ entities: 4_000, bytes: 23_000_000 }));
      const env = { NODE_OPTIONS: "--max-old-space-size=500" };
      expect(await sync(data, file)).to.contain("20000 of 20000 operations are tools now");
      const again = await agentd(["sync", "openapi", file, "--data-dir", data], { env });
      expect(again).to.deep.include({ code: 0 });
      const tools = await agentd(["tools", "replace entity3999", "--json", "--data-dir", data], { env });
      expect(tools.stderr).to.equal("");
      const found = listOf(parseJson(tools.stdout)).map(objectOf);
      expect(found.map(({ name }) => name)).to.include("replaceEntity3999");
      rmSync(data, { recursive: true });
    }));
});
