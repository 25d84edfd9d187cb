// Whole real descriptions: every operation becomes a tool or is explained, every schema compiles, and it takes seconds.
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { TOOL_NAME } from "../../../../src/domain/schema-document.js";
import { isObject, type JsonValue, toJson } from "../../../../src/lib/json.js";
import { compile, importFrom, type Result } from "./imported.js";

const require = createRequire(import.meta.url);
const packageFolder = (name: string): string => {
  for (const path of require.resolve.paths(name) ?? []) if (existsSync(join(path, name))) return join(path, name);
  throw new Error(`${name} is not installed`);
};
const under = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(json|ya?ml)$/.test(file) && !/package\.json$/.test(file))
    .map((file) => join(folder, file));

/** Every `$ref` in a schema. */
function refsIn(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(refsIn);
  if (!isObject(value)) return [];
  const own = typeof value["$ref"] === "string" ? [value["$ref"]] : [];
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, inner]) =>
      key === "properties" && isObject(inner) ? Object.values(inner).flatMap(refsIn) : refsIn(inner),
    ),
  ];
}

function check({ document, report, names }: Result): void {
  expect(report.imported + report.skipped.length).to.equal(report.operations);
  expect(document.actions).to.have.length(report.imported);
  for (const name of names) expect(name).to.match(TOOL_NAME);
  for (const action of document.actions) {
    compile(action);
    const properties = Object.keys(action.parameters["properties"] as object);
    for (const name of properties) expect(name).to.match(/^[a-zA-Z0-9_.-]{1,64}$/);
    expect(action.parameters).not.to.have.property("$defs");
  }
  const used = new Set([
    ...document.actions.flatMap(({ parameters }) => refsIn(parameters)),
    ...refsIn(document.$defs ?? {}),
  ]);
  const shared = Object.keys(document.$defs ?? {}).map((name) => `#/$defs/${name}`);
  expect([...used].sort(), "definitions").to.deep.equal(shared.sort());
}

describe("agentd sync openapi: whole descriptions", () => {
  it("imports all 1,223 operations of GitHub, the same way every time @all", async function () {
    this.timeout(60_000);
    const file = join(packageFolder("@octokit/openapi"), "generated", "api.github.com.json");
    const started = performance.now();
    const result = await importFrom(file);
    expect(performance.now() - started).to.be.below(20_000);
    expect(result.report).to.deep.include({ operations: 1223, imported: 1223, skipped: [] });
    check(result);
    const update = result.action("issues_update");
    expect(update.parameters["required"]).to.deep.equal(["owner", "repo", "issue_number"]);
    expect(update.parameters).to.have.deep.nested.property("properties.state.enum", ["open", "closed"]);
    expect(toJson((await importFrom(file)).written)).to.equal(toJson(result.written));
  });

  it("imports every operation of the readme examples, Figma and Directus @all", async function () {
    this.timeout(60_000);
    const examples = packageFolder("@readme/oas-examples");
    const folders = ["2.0", "3.0", "3.1"].map((version) => join(examples, version));
    const files = [
      ...folders,
      join(packageFolder("@figma/rest-api-spec"), "openapi"),
      join(packageFolder("@directus/specs"), "dist"),
    ].flatMap(under);
    expect(files.length).to.be.above(100);
    for (const file of files) {
      const result = await importFrom(file);
      expect(result.report.skipped, `${dirname(file)} ${file}`).to.deep.equal([]);
      check(result);
    }
  });
});
