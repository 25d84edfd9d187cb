// The layout keeps its word: imports go one way, files stay readable.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const src = join(root, "src");

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? files(path) : /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** The floors, lowest first: a file imports from lower floors, or from its own room. */
const PATH = [
  "arguments",
  "call",
  "confirmations",
  "lanes",
  "unsaved",
  "session",
  "turn",
  "desk",
  "shown",
  "prompt",
  "decide",
  "agent",
];
const SHELF_FILES = ["config", "log", "schema-file", "package"];
const SHELVES = ["providers", "transports", "sources", "store", "config"];

interface Place {
  floor: number;
  room: string;
}

function placeOf(path: string): Place {
  const [first = "", ...rest] = relative(src, path)
    .replace(/\.tsx?$/, "")
    .split("/");
  if (rest.length > 0) {
    if (SHELVES.includes(first)) return { floor: 1, room: first };
    if (first === "server" || first === "demo") return { floor: 4, room: first };
    if (first === "cli") return { floor: 5, room: "cli" };
    return { floor: 0, room: "words" };
  }
  if (first === "main") return { floor: 6, room: "main" };
  if (first === "open") return { floor: 3, room: "open" };
  if (PATH.includes(first)) return { floor: 2, room: "path" };
  return SHELF_FILES.includes(first) ? { floor: 1, room: first } : { floor: 0, room: "words" };
}

/** What `import type` names costs nothing at run time, but it is still knowledge: both kinds are read. */
function importsOf(path: string): string[] {
  const text = readFileSync(path, "utf8");
  const found = [
    ...text.matchAll(/^(?:import|export|\}).* from "([^"]+)";$|import\("([^"]+)"\)|^import "([^"]+)";$/gm),
  ];
  return found.flatMap((match) => match.slice(1).filter((name) => name !== undefined));
}

/** The interfaces at the front of the shelves, which any shelf may name: they are the vocabulary of the seams. */
const SEAMS = ["store/store", "providers/provider", "transports/transport", "sources/source", "log", "package"];
/** Libraries of pure functions that the words may use. */
const PURE = ["zod", "lossless-json", "stemmer", "leven"];

describe("The house", () => {
  it("has imports that go one way: words, shelves, path, doors, main", () => {
    const wrong: string[] = [];
    for (const file of files(src)) {
      const here = placeOf(file);
      for (const name of importsOf(file)) {
        if (!name.startsWith(".")) {
          if (here.floor === 0 && !name.startsWith("node:") && !PURE.includes(name))
            wrong.push(`${relative(src, file)} imports ${name}`);
          continue;
        }
        const target = join(dirname(file), name.replace(/\.js$/, ".ts"));
        const there = placeOf(target);
        const seam = SEAMS.includes(relative(src, target).replace(/\.ts$/, ""));
        const downwards = there.floor < here.floor || there.room === here.room;
        if (!downwards && !(seam && here.floor === 1))
          wrong.push(`${relative(src, file)} imports ${relative(src, target)}`);
      }
    }
    expect(wrong).to.deep.equal([]);
  });

  it("has doors that know the path and the words, and no shelf but its seams", () => {
    const wrong = files(join(src, "server")).flatMap((file) =>
      importsOf(file)
        .filter((name) => name.startsWith("."))
        .map((name) => relative(src, join(dirname(file), name.replace(/\.js$/, ""))))
        .filter((target) => placeOf(join(src, `${target}.ts`)).floor === 1 && !SEAMS.includes(target))
        .map((target) => `${relative(src, file)} imports ${target}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it("has files of at most 300 lines, half of them below 120, and none without a header", () => {
    const sizes = files(src).map((file) => ({
      file: relative(src, file),
      lines: readFileSync(file, "utf8").split("\n").length,
    }));
    expect(sizes.filter(({ lines }) => lines > 300)).to.deep.equal([]);
    const sorted = sizes.map(({ lines }) => lines).sort((a, b) => a - b);
    expect(sorted[Math.floor(sorted.length / 2)]).to.be.at.most(120);
    const bare = files(src).filter((file) => !/^(#!.*\n)?\/\//.test(readFileSync(file, "utf8")));
    expect(bare.map((file) => relative(src, file))).to.deep.equal([]);
  });

  it("has functions of at most 80 lines", () => {
    const long: string[] = [];
    for (const file of files(src)) {
      const lines = readFileSync(file, "utf8").split("\n");
      for (const [start, line] of lines.entries()) {
        const head =
          /^(\s*)(export )?(async )?function\*? /.exec(line) ??
          /^(\s*)(export )?const \w+ = (async )?\(.*=> \{$/.exec(line);
        if (!head) continue;
        const end = lines.findIndex((other, at) => at > start && new RegExp(`^${head[1] ?? ""}\\}`).test(other));
        if (end - start > 80) long.push(`${relative(src, file)}:${start + 1} (${end - start} lines)`);
      }
    }
    expect(long).to.deep.equal([]);
  });
});
