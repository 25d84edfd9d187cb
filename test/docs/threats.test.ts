// Every row of docs/threats.md has a test that begins with its id, or a reason on that page why not.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { packageRoot } from "../../src/lib/package.js";
import { read } from "../support/docs.js";
import { THREATS, UNTESTED } from "../support/threats.js";

/** Ids at the start of the titles of all tests. */
function testedIds(folder = "test"): string[] {
  return readdirSync(join(packageRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return testedIds(path);
    if (!entry.name.endsWith(".test.ts")) return [];
    const titles = read(path).matchAll(/\b(?:it|itOnTerminal|describe)\(\s*["'`]((?:[A-Q]\d{1,2}\b ?)+)/g);
    return [...titles].flatMap(([, ids = ""]) => ids.trim().split(" "));
  });
}

describe("Threats", () => {
  const tested = new Set(testedIds());

  it("are each tested, or listed with the reason why not", () => {
    expect(THREATS.filter((id) => !tested.has(id) && UNTESTED[id] === undefined)).to.deep.equal([]);
  });

  it("are not listed as untested once they have a test", () => {
    expect(Object.keys(UNTESTED).filter((id) => tested.has(id))).to.deep.equal([]);
  });

  it("have ids that exist", () => {
    expect([...tested, ...Object.keys(UNTESTED)].filter((id) => !THREATS.includes(id))).to.deep.equal([]);
  });
});
