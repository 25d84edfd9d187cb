// How often a plain command finds its operation, over whole descriptions of real applications. The prompts were written by somebody who
// did not know the ranking, and nothing was chosen by them: it shows what the ranking is worth on prompts that nobody has seen.
import { readFileSync } from "node:fs";
import { expect } from "chai";
import { indexOf } from "./described-index.js";

/** A prompt, and the operations that do what it says, by their ids. */
interface Command {
  application: string;
  prompt: string;
  operations: readonly string[];
}

const DESCRIPTIONS: Readonly<Record<string, readonly [name: string, file: string]>> = {
  github: ["@octokit/openapi", "generated/api.github.com.json"],
  figma: ["@figma/rest-api-spec", "openapi/openapi.yaml"],
  directus: ["@directus/specs", "dist/openapi.json"],
};

const commands = readFileSync(new URL("plain-commands.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Command);

describe("Plain commands over whole descriptions", () => {
  /** Of each command the place of its operation, from 0; Infinity when it is not among the first five. */
  const places: { application: string; place: number }[] = [];
  /** The share in percent of the commands of `application`, or of all, whose operation is among the first `count`. */
  const share = (count: number, application?: string): number => {
    const some = places.filter((one) => application === undefined || one.application === application);
    return (100 * some.filter(({ place }) => place < count).length) / some.length;
  };

  before(async function () {
    this.timeout(60_000);
    for (const [application, [name, file]] of Object.entries(DESCRIPTIONS)) {
      const index = await indexOf(name, file);
      for (const { prompt, operations } of commands.filter((one) => one.application === application)) {
        // The name of a tool is the id of its operation, with other signs.
        const meant = operations.map((id) => id.replaceAll("/", "_"));
        const found = index.search(prompt, 5).findIndex(({ tool }) => meant.includes(tool.name));
        places.push({ application, place: found < 0 ? Number.POSITIVE_INFINITY : found });
      }
    }
    expect(places).to.have.length(commands.length);
  });

  it("have their operation first in at least 72 of 100 @all", () => expect(share(1)).to.be.at.least(72));
  it("have it among the first five of 1,223 in at least 93 of 100 @all", () =>
    expect(share(5, "github")).to.be.at.least(93));
});
