// Comments that cite a page of the documentation name a heading that exists, and cite no numbered section of it.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { packageRoot } from "../../src/lib/package.js";
import { headings, read } from "../support/docs.js";

/** The TypeScript files below a folder, by their paths in the repository. */
function sourcesIn(folder: string): string[] {
  return readdirSync(join(packageRoot, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => join(folder, path));
}

/** The comments of a file; neighbouring line comments are one. */
function commentsOf(path: string): string[] {
  const found = read(path).match(/(?:^[ \t]*\/\/.*\n)+|\/\/.*$|\/\*[\s\S]*?\*\//gm) ?? [];
  return found.map((comment) => comment.replaceAll(/\s*\n\s*(?:\/\/|\*(?!\/))\s*/g, " "));
}

const COMMENTS = ["src", "static", "test"]
  .flatMap(sourcesIn)
  .flatMap((path) => commentsOf(path).map((comment) => ({ path, comment })));

/** One citation: a page and one or several headings in quotes. */
const CITATION = /\b(docs\/[\w-]+\.md), ((?:"[^"]+"(?:, | and )?)+)/g;

describe("Comments that cite the documentation", () => {
  it("name headings that exist", () => {
    const unknown = COMMENTS.flatMap(({ path, comment }) =>
      [...comment.matchAll(CITATION)].flatMap(([, page = "", quoted = ""]) => {
        const known = headings(read(page));
        const cited = [...quoted.matchAll(/"([^"]+)"/g)].map(([, heading = ""]) => heading);
        return cited.filter((heading) => !known.includes(heading)).map((heading) => `${path}: ${page}, "${heading}"`);
      }),
    );
    expect(unknown).to.deep.equal([]);
  });

  it("cite no numbered section and no page without a heading", () => {
    const vague = COMMENTS.filter(
      ({ comment }) =>
        /\b(?:reference|interface),? (?:sections? )?\d/i.test(comment) ||
        /\bSource: (?:reference\b|docs\/[\w-]+\.md(?!, "))/.test(comment),
    );
    expect(vague.map(({ path, comment }) => `${path}: ${comment}`)).to.deep.equal([]);
  });
});
