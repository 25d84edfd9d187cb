// What holds for every page, and what README.md, docs/dependencies.md and docs/security.md promise by themselves.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { impliedByTransport } from "../../src/applications/kinds.js";
import { ConfigFile } from "../../src/config/schema.js";
import { parseSchema } from "../../src/domain/schema-document.js";
import { packageRoot } from "../../src/lib/package.js";
import { PromptBody } from "../../src/server/request/request.js";
import { parseOverrides } from "../../src/tools/overrides.js";
import { EXTERNAL } from "../../vite.server.config.js";
import {
  anchors,
  blocks,
  headings,
  namesIn,
  PAGES,
  prose,
  read,
  sorted,
  type Table,
  tablesOf,
  ticked,
} from "../support/docs.js";

const README = read("README.md");
const CLI = "docs/cli.md";

describe("Every page", () => {
  for (const page of PAGES)
    it(`${page} links only to what is there`, () => {
      const broken = [...prose(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = ""]) => {
        if (/^[a-z]+:/.test(link)) return [];
        const [path = "", anchor] = link.split("#");
        const target = path === "" ? page : join(dirname(page), path);
        if (!existsSync(join(packageRoot, target))) return [link];
        return anchor === undefined || anchors(read(target)).includes(anchor) ? [] : [link];
      });
      expect(broken).to.deep.equal([]);
    });

  it("names only files and scripts that are there", () => {
    const scripts: unknown = (JSON.parse(read("package.json")) as { scripts: unknown }).scripts;
    for (const page of PAGES) {
      const paths = ticked(prose(read(page)))
        .filter((name) => /^(src|static|test|docs|build|migrations)\//.test(name))
        .map((name) => name.replace(/\bNAME\b.*/, ""));
      expect(
        paths.filter((path) => !existsSync(join(packageRoot, path))),
        page,
      ).to.deep.equal([]);
      const run = [...read(page).matchAll(/npm run ([a-z:]*[a-z])/g)].map(([, script = ""]) => script);
      expect(scripts).to.include.keys(["test", ...run]);
    }
  });

  it("has JSON that the daemon takes", () => {
    const takes: Record<string, (text: string) => unknown> = {
      "json config.json": (text) => ConfigFile.parse(JSON.parse(text)),
      "json overrides.json": parseOverrides,
      "json mcp.json": (text) => {
        const { mcpServers, servers = mcpServers } = JSON.parse(text) as Record<string, Record<string, object>>;
        expect(servers?.["agentd"]).to.satisfy((one: object) => "command" in one || "url" in one);
      },
      "json schema.json": (text) => parseSchema(text, impliedByTransport),
    };
    for (const page of PAGES)
      for (const { info, text } of blocks(read(page))) {
        if (!/^json\b/.test(info)) continue;
        expect(takes, `${page}: say which file a JSON block is`).to.include.keys(info);
        takes[info]?.(text);
      }
  });
});

describe("docs/security.md", () => {
  it("N7 says that ps shows --token, and gives the ways that it does not show", () => {
    const page = read("docs/security.md");
    expect(page).to.match(/`ps`[^.]*`--token`[^.]*`--token-file`[^.]*`AGENTD_TOKEN`/s);
    expect(read(CLI)).to.include("safer in AGENTD_TOKEN or a file");
  });
});

describe("docs/dependencies.md", () => {
  const page = read("docs/dependencies.md");
  const [program, development] = tablesOf(page, "package");

  it("has every dependency with its reason, and no other", () => {
    const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<string, object>;
    const names = (table: Table | undefined): string[] => namesIn(table ? [table] : []);
    expect(names(program)).to.deep.equal(sorted(Object.keys(dependencies ?? {})));
    expect(names(development)).to.deep.equal(sorted(Object.keys(devDependencies ?? {})));
    const bare = [program, development].flatMap((table) => table?.rows ?? []).filter((row) => (row[1] ?? "") === "");
    expect(bare).to.deep.equal([]);
  });

  it("names the packages that are not bundled", () => {
    const sentence = /but (\w+), which stay packages .*?: (.*?)\. Its/s.exec(page);
    expect(sorted(ticked(sentence?.[2] ?? ""))).to.deep.equal(sorted(EXTERNAL));
  });
});

describe("README.md", () => {
  it("is short, and ends with the layout, the design notes and what is not a goal", () => {
    expect(README.split("\n")).to.have.length.below(150);
    expect(headings(README).slice(-3)).to.deep.equal(["Layout", "Design notes", "Not goals"]);
  });

  it("has the two commands, literally", () => {
    const lines = blocks(README).map(({ text }) => text.trim());
    expect(lines).to.include.members(["npm ci && npm run demo", "npm ci && npm test"]);
  });

  it("has every mode of the safety table in the reference, too", () => {
    const modes = namesIn(tablesOf(README, "mode"), 1);
    expect(modes.filter((mode) => !mode.startsWith("--"))).to.deep.equal(
      Object.keys(PromptBody.shape).filter((key) => /^(read_only|dry_run|strict|confirm)$/.test(key)),
    );
  });
});
