// docs/architecture.md draws the layers that test/architecture.test.ts asserts, and has every folder.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { packageRoot } from "../../src/lib/package.js";
import { blocks, read, tables, ticked } from "../support/docs.js";
import { LAYERS, UI_LAYERS } from "../support/layers.js";

const PAGE = read("docs/architecture.md");

/** The layers of a flowchart, lowest first: the texts in its boxes, where a dot separates folders of one layer. */
function drawnLayers(flowchart: string): string[][] {
  return [...flowchart.matchAll(/\["([^"]+)"\]/g)].map(([, text = ""]) => text.split(" · ")).reverse();
}

describe("docs/architecture.md", () => {
  it("draws the layers of src/ and static/", () => {
    const flowcharts = blocks(PAGE).filter(({ text }) => text.startsWith("flowchart"));
    expect(flowcharts.map(({ text }) => drawnLayers(text))).to.deep.equal([LAYERS, UI_LAYERS]);
  });

  it("draws one prompt with files that exist", () => {
    const drawn = blocks(PAGE).find(({ text }) => text.startsWith("sequenceDiagram"))?.text ?? "";
    const files = drawn.match(/[a-z-]+\/[a-z-]+\.ts/g) ?? [];
    expect(files).to.have.length.above(2);
    expect(files.filter((file) => !existsSync(join(packageRoot, "src", file)))).to.deep.equal([]);
  });

  for (const folder of ["src", "static", "test"])
    it(`has every folder of ${folder}/, and no other`, () => {
      const table = tables(PAGE).find(({ heading }) => heading === `\`${folder}/\``);
      const described = table?.rows.flatMap(([names = ""]) => ticked(names));
      const folders = readdirSync(join(packageRoot, folder), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name);
      expect(described).to.have.members(folders);
    });
});
