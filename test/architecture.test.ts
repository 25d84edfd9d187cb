// The layout keeps its word: a folder is a layer, imports go one way, files and functions stay readable.
// Knows the names of the layers and no other, except src/open.ts and src/store/sqlite: the one file that picks the database and
// the one folder that knows it. docs/architecture.md draws the same picture.
import { dirname } from "node:path";
import { expect } from "chai";
import { quantile } from "./bench/measure.js";
import { LAYERS, UI_LAYERS } from "./support/layers.js";
import { folderGraph, ringsIn, type SourceFile, sourceFiles } from "./support/source-tree.js";

/** What an entry point may know of the inside: the interface of the agent, and general code. */
const KNOWN_TO_SERVER = ["server", "domain", "lib"];

/** What the web UI may know of src/. */
const KNOWN_TO_UI = ["domain", "lib"];
/** The packages of the layers without components; the other layers draw. */
const UI_PACKAGES: Readonly<Record<string, readonly string[]>> = { turn: [], state: ["@preact/signals"] };

const MAX_FILE_LINES = 300;
const MAX_MEDIAN_FILE_LINES = 120;
const MAX_FUNCTION_LINES = 80;
/** Nine functions of ten are at most this long. */
const MAX_P90_FUNCTION_LINES = 40;
const MAX_POSITIONAL = 3;

const folderOf = (path: string): string => path.split("/")[1] ?? "";

function layerNumbers(layers: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  return new Map(layers.flatMap((names, at) => names.map((name) => [name, at] as const)));
}

/** Imports within these files that lead to the same layer or up, as `from → to`. */
function upwardImports(files: readonly SourceFile[], layers: ReadonlyMap<string, number>): string[] {
  const isAllowed = (here: string, there: string): boolean =>
    here === there || (layers.get(there) ?? Number.NaN) < (layers.get(here) ?? Number.NaN);
  const known = new Set(files.map(({ path }) => path));
  return files.flatMap(({ path, imports }) =>
    imports
      .filter((other) => known.has(other) && !isAllowed(folderOf(path), folderOf(other)))
      .map((other) => `${path} → ${other}`),
  );
}

describe("Architecture", () => {
  const src = sourceFiles("src");
  const ui = sourceFiles("static");
  const tests = sourceFiles("test");
  const both = [...src, ...ui];
  const exported = src.flatMap(({ path, exports }) => exports.map((name) => ({ name, path })));
  const srcLayers = layerNumbers(LAYERS);
  const uiLayers = layerNumbers(UI_LAYERS);

  it("has a layer for every folder of src/ and static/", () => {
    expect([...new Set(src.map(({ path }) => folderOf(path)))].filter((name) => !srcLayers.has(name))).to.deep.equal(
      [],
    );
    expect([...new Set(ui.map(({ path }) => folderOf(path)))].filter((name) => !uiLayers.has(name))).to.deep.equal([]);
  });

  it("imports one way between the layers", () => {
    expect(upwardImports(src, srcLayers)).to.deep.equal([]);
    expect(upwardImports(ui, uiLayers)).to.deep.equal([]);
  });

  it("has a web UI that knows domain types and general code only", () => {
    const wrong = ui.flatMap(({ path, imports }) =>
      imports
        .filter((other) => !other.startsWith("static/") && !KNOWN_TO_UI.includes(folderOf(other)))
        .map((other) => `${path} → ${other}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it("has a web UI whose state draws nothing and whose turns are pure", () => {
    const wrong = ui.filter(({ path, packages }) => {
      const allowed = UI_PACKAGES[folderOf(path)];
      return allowed && (path.endsWith(".tsx") || packages.some((name) => !allowed.includes(name)));
    });
    expect(wrong.map(({ path }) => path)).to.deep.equal([]);
  });

  it("has an HTTP entry point that knows the agent by its interface only", () => {
    const wrong = src
      .filter(({ path }) => folderOf(path) === "server")
      .flatMap(({ path, imports }) =>
        imports.filter((other) => !KNOWN_TO_SERVER.includes(folderOf(other))).map((other) => `${path} → ${other}`),
      );
    expect(wrong).to.deep.equal([]);
  });

  it("has one file that picks the database, and one folder that knows each", () => {
    const databaseOf = (path: string): string | undefined => /^src\/store\/([^/]+)\//.exec(path)?.[1];
    const wrong = src
      .filter(({ path }) => path !== "src/open.ts")
      .flatMap(({ path, imports }) =>
        imports
          .filter((other) => databaseOf(other) !== undefined && databaseOf(other) !== databaseOf(path))
          .map((other) => `${path} → ${other}`),
      );
    expect(wrong).to.deep.equal([]);
  });

  it("has a domain that a browser can load", () => {
    const byPath = new Map(src.map((file) => [file.path, file]));
    const open = src.filter(({ path }) => folderOf(path) === "domain");
    const seen = new Set<SourceFile>();
    for (let next = open.pop(); next; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...next.imports.flatMap((path) => byPath.get(path) ?? []));
    }
    const wrong = [...seen].filter(({ packages }) => packages.some((name) => name.startsWith("node:")));
    expect(wrong.map(({ path }) => path)).to.deep.equal([]);
  });

  it("has no ring of imports between files, types included", () => {
    const graph = new Map(both.map(({ path, imports }) => [path, new Set(imports)] as const));
    expect(ringsIn(graph)).to.deep.equal([]);
  });

  it("has no ring of imports between what stands in one folder, at any depth", () => {
    const folders = new Set<string>();
    for (const { path } of both) for (let at = dirname(path); at !== "."; at = dirname(at)) folders.add(at);
    const rings = [...folders].flatMap((folder) =>
      ringsIn(folderGraph(both, folder)).map((ring) => `${folder}: ${ring.join(" ")}`),
    );
    expect(rings).to.deep.equal([]);
  });

  it("has files that fit in a head, each with a header", () => {
    expect(both.filter(({ lines }) => lines > MAX_FILE_LINES).map(({ path }) => path)).to.deep.equal([]);
    expect(
      quantile(
        both.map(({ lines }) => lines),
        0.5,
      ),
    ).to.be.at.most(MAX_MEDIAN_FILE_LINES);
    expect(both.filter(({ text }) => !/^(#!.*\n)?\/\//.test(text)).map(({ path }) => path)).to.deep.equal([]);
  });

  it("has functions that fit on a screen, by the syntax tree", () => {
    const functions = both.flatMap((file) => file.functions);
    expect(functions.filter(({ lines }) => lines > MAX_FUNCTION_LINES)).to.deep.equal([]);
    expect(
      quantile(
        functions.map(({ lines }) => lines),
        0.9,
      ),
    ).to.be.at.most(MAX_P90_FUNCTION_LINES);
  });

  it("has functions of at most three positional parameters", () => {
    const functions = both.flatMap((file) => file.functions);
    expect(functions.filter(({ parameters }) => parameters > MAX_POSITIONAL)).to.deep.equal([]);
  });

  it("spreads no literal to save lines", () => {
    expect([...both, ...tests].flatMap((file) => file.literalSpreads)).to.deep.equal([]);
  });

  it("exports one thing under one name", () => {
    const twice = exported.filter(({ name, path }) =>
      exported.some((other) => other.name === name && other.path !== path),
    );
    expect(twice.map(({ name, path }) => `${name} in ${path}`).sort()).to.deep.equal([]);
  });

  it("exports nothing that is never imported", () => {
    const imported = new Set(
      [...both, ...tests].flatMap((file) => file.importedNames.map((one) => `${one.from} ${one.name}`)),
    );
    const all = both.flatMap(({ path, exports }) => exports.map((name) => ({ name, path })));
    const unused = all.filter(({ name, path }) => !imported.has(`${path} ${name}`) && !imported.has(`${path} *`));
    expect(unused.map(({ name, path }) => `${name} in ${path}`)).to.deep.equal([]);
  });
});
