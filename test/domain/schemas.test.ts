// The schemas of the wire cost milliseconds to construct, which no start and no turn pays for.
import { expect } from "chai";
import { sourceFiles } from "../support/source-tree.js";

const LOADS_SCHEMAS = /^import (?!type\b)[^;]*? from "[^"]*\/schemas\/[^"]*";$/gm;
/** The folders that construct them: themselves, and the document, which is made when it is asked for. */
const MAY_LOAD = ["src/domain/schemas/", "src/server/openapi/"];

describe("Schemas of the wire", () => {
  it("are imported as types, except for the OpenAPI document @all", () => {
    const loading = sourceFiles("src", "static").flatMap(({ path, text }) =>
      MAY_LOAD.some((folder) => path.startsWith(folder)) ? [] : [...text.matchAll(LOADS_SCHEMAS)].map(() => path),
    );
    expect(loading).to.deep.equal([]);
  });

  it("come with the document only, which is imported on demand @all", () => {
    const importers = sourceFiles("src").filter(({ imports }) => imports.includes("src/server/openapi/document.ts"));
    expect(importers.map(({ path }) => path)).to.deep.equal(["src/server/routes.ts"]);
    for (const { text } of importers) expect(text).to.include('await import("./openapi/document.js")');
  });
});
