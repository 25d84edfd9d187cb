// The schemas of the wire cost milliseconds to construct, which no start and no turn pays for.
import { posix } from "node:path";
import { expect } from "chai";
import { sourceFiles } from "../support/source-tree.js";

const LOADS = /^import (?!type\b)[^;]*? from "([^"]*)";$/gm;
const SCHEMAS = "src/domain/schemas/";
/** The folders that construct them: themselves, and the document, which is made when it is asked for. */
const MAY_LOAD = [SCHEMAS, "src/server/openapi/"];

const loadsSchemas = (path: string, text: string): boolean =>
  [...text.matchAll(LOADS)].some(([, from = ""]) => posix.join(posix.dirname(path), from).startsWith(SCHEMAS));

describe("Schemas of the wire", () => {
  it("are imported as types, except for the OpenAPI document @all", () => {
    const loading = sourceFiles("src", "static").filter(({ path, text }) => loadsSchemas(path, text));
    const [allowed, others] = [true, false].map((may) =>
      loading.filter(({ path }) => MAY_LOAD.some((folder) => path.startsWith(folder)) === may).map(({ path }) => path),
    );
    expect(allowed).to.not.deep.equal([]);
    expect(others).to.deep.equal([]);
  });

  it("come with the document only, which is imported on demand @all", () => {
    const importers = sourceFiles("src").filter(({ imports }) => imports.includes("src/server/openapi/document.ts"));
    expect(importers.map(({ path }) => path)).to.deep.equal(["src/server/routes.ts"]);
    for (const { text } of importers) expect(text).to.include('await import("./openapi/document.js")');
  });
});
