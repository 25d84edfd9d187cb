// The documentation keeps up with the code: names derived from the code are in the pages, and names in the pages are in the
// code. UPDATE_DOCS=1 writes docs/cli.md anew.

import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { impliedByTransport } from "../../src/applications/kinds.js";
import type { OptionTable } from "../../src/cli/command.js";
import { COMMANDS } from "../../src/cli/commands.js";
import { commandHelp } from "../../src/cli/help.js";
import { GLOBAL } from "../../src/cli/options.js";
import { ConfigFile, configJsonSchema } from "../../src/config/schema.js";
import { VARIABLES } from "../../src/config/variables.js";
import { type Agent, Decision, PublicConfig } from "../../src/domain/agent.js";
import { ERROR_STATUS } from "../../src/domain/error.js";
import { TurnEvent } from "../../src/domain/event.js";
import { HISTORY_STATUSES } from "../../src/domain/history-status.js";
import { parseSchema } from "../../src/domain/schema-document.js";
import { packageRoot } from "../../src/lib/package.js";
import { createRules } from "../../src/server/access/admit.js";
import { createMetrics } from "../../src/server/metrics.js";
import { QUERIES } from "../../src/server/query.js";
import { PromptBody } from "../../src/server/request.js";
import { createRoutes } from "../../src/server/routes.js";
import { parseOverrides } from "../../src/tools/overrides.js";
import { EXTERNAL } from "../../vite.server.config.js";
import { anchors, blocks, headings, PAGES, prose, read, type Table, tables, ticked } from "../support/docs.js";
import { THREATS, UNTESTED } from "../support/threats.js";

const README = read("README.md");
const REFERENCE = read("docs/reference.md");
const CONFIGURATION = read("docs/configuration.md");
const CLI = "docs/cli.md";

/** The tables of a page whose first column is headed so, under one heading or anywhere. */
function named(page: string, column: string, heading?: string): Table[] {
  return tables(page).filter(
    (table) => table.header[0] === column && (heading === undefined || table.heading === heading),
  );
}

/** The names in backticks in one column of these tables. */
function column(from: readonly Table[], at = 0): string[] {
  return from.flatMap((table) => table.rows.flatMap((row) => ticked(row[at] ?? "")));
}

const sorted = (names: Iterable<string>): string[] => [...names].sort();

/** All options of the command line, by the names they are typed by. */
async function flags(): Promise<string[]> {
  const found = new Set(["help", "version"]);
  for (const { load } of Object.values(COMMANDS)) {
    const options: OptionTable = { ...GLOBAL, ...(await load()).options };
    for (const [name, { alias = [] }] of Object.entries(options))
      for (const spelling of [name, alias].flat()) found.add(spelling);
  }
  return sorted(found).map((name) => `--${name}`);
}

describe("docs/reference.md", () => {
  it("has every kind of event with its fields, and no other", () => {
    const rows = named(REFERENCE, "kind").flatMap((table) => table.rows);
    const kinds = rows.flatMap((row) => ticked(row[0] ?? ""));
    expect(sorted(kinds)).to.deep.equal(sorted(TurnEvent.options.map(({ shape }) => shape.kind.value)));
    for (const { shape } of TurnEvent.options) {
      const { kind, ...fields } = shape;
      const row = rows.find((one) => one[0] === `\`${kind.value}\``)?.[1] ?? "";
      // A confirmation has a dozen fields; its row refers to it.
      if (row === "the confirmation") continue;
      expect(row.replaceAll(/\([^)]*\)/g, "").match(/\w+/g) ?? [], kind.value).to.deep.equal(Object.keys(fields));
    }
  });

  it("has every route, and no other", () => {
    const documented = named(REFERENCE, "method").flatMap((table) => table.rows.map((row) => `${row[0]} ${row[1]}`));
    const routes = createRoutes({
      ...{ agent: {} as Agent, metrics: createMetrics(), sockets: () => 0 },
      rules: createRules({ host: "127.0.0.1" }),
    });
    const known = routes.map(({ method, path }) => `${method.toUpperCase()} \`${path}\``);
    expect(sorted(documented)).to.deep.equal(sorted(known));
  });

  it("has every error code with its status, and no other", () => {
    const documented = named(REFERENCE, "status", "Errors").flatMap((table) =>
      table.rows.map((row) => [ticked(row[1] ?? "")[0] ?? "", Number(row[0])] as const),
    );
    expect(Object.fromEntries(documented)).to.deep.equal(ERROR_STATUS);
  });

  it("has every field of a prompt, a decision and the public configuration, and no other", () => {
    const fields = (heading: string): string[] => sorted(column(named(REFERENCE, "field", heading).slice(0, 1)));
    expect(fields("Running a prompt")).to.deep.equal(sorted(Object.keys(PromptBody.shape)));
    expect(fields("Confirmations")).to.deep.equal(sorted(Object.keys(Decision.shape)));
    expect(fields("Public configuration")).to.deep.equal(sorted(Object.keys(PublicConfig.shape)));
  });

  it("has every parameter of the history, every parameter elsewhere, and every status", () => {
    expect(sorted(column(named(REFERENCE, "parameter", "History")))).to.deep.equal(
      sorted(Object.keys(QUERIES.history.shape)),
    );
    expect(sorted(column(named(REFERENCE, "status", "History")))).to.deep.equal(sorted(HISTORY_STATUSES));
    const routes = named(REFERENCE, "method").flatMap((table) => table.rows.map((row) => row.join(" ")));
    const described = { sessions: "/-/sessions`", confirmations: "/-/confirmations`", search: "/-/tools/search`" };
    for (const [name, path] of Object.entries(described)) {
      const row = ticked(routes.find((one) => one.includes(path)) ?? "");
      expect(row, path).to.include.members(Object.keys(QUERIES[name as keyof typeof described].shape));
    }
    for (const name of Object.keys(QUERIES.chat.shape)) expect(REFERENCE).to.include(name);
  });
});

/** Every key of a JSON Schema by its path, `NAME` standing for any name. */
function keysOf(schema: Record<string, unknown>, path = ""): string[] {
  const at = (key: string): string => (path === "" ? key : `${path}.${key}`);
  const { properties, additionalProperties } = schema as Record<string, Record<string, Record<string, unknown>>>;
  const inner = Object.entries(properties ?? {}).flatMap(([key, value]) => keysOf(value, at(key)));
  const any = typeof additionalProperties === "object" ? keysOf(additionalProperties, at("NAME")) : [];
  return inner.length + any.length === 0 ? [path] : [...inner, ...any];
}

/** Variables that only the tests read. */
const TESTS_OWN = ["AGENTD_SPECS"];

describe("docs/configuration.md", () => {
  const settings = named(CONFIGURATION, "key in config.json");

  it("has every key of config.json, and no other", () => {
    const documented = [...column(settings), ...column(named(CONFIGURATION, "key", "Models"))];
    expect(sorted(documented)).to.deep.equal(sorted(keysOf(configJsonSchema() as Record<string, unknown>)));
  });

  it("has every environment variable, and no page names another", () => {
    expect(sorted(column(settings, 2))).to.deep.equal(sorted(VARIABLES));
    const mentioned = new Set(PAGES.flatMap((page) => read(page).match(/\bAGENTD_[A-Z_]*[A-Z]\b/g) ?? []));
    expect([...VARIABLES, ...TESTS_OWN]).to.include.members([...mentioned]);
  });

  it("has every key of overrides.json, and no other", () => {
    const refusal = /known are ([\w, ]+)\./;
    let known = "";
    try {
      parseOverrides('{ "tool": { "nonsense": 1 } }');
    } catch (error) {
      known = refusal.exec(String(error))?.[1] ?? "";
    }
    expect(sorted(column(named(CONFIGURATION, "key", "The data directory")))).to.deep.equal(sorted(known.split(", ")));
  });
});

/** The commands that only say that they come later. */
const announced = [...read("src/cli/commands.ts").matchAll(/\blater\("(\w+)"\)/g)].map(([, name = ""]) => name);

async function cliPage(): Promise<string> {
  const sections = [["agentd", await commandHelp(undefined, undefined)]];
  for (const [name, { load }] of Object.entries(COMMANDS))
    sections.push([`agentd ${name}`, await commandHelp(name, await load())]);
  const later = announced.map((name) => `\`${name}\``).join(" and ");
  return [
    "# Command line",
    "What `--help` prints, command by command. Settings without a flag are in [configuration.md](configuration.md).",
    "When a daemon runs on the data directory, `run`, `chat`, `history` and `sessions` go through it; otherwise they work on\n" +
      "the directory themselves. The exit code is 0, 1 when something failed or a turn ended in an error, and 2 when the command\n" +
      "line is wrong. A call that was refused, held or failed is part of an answer and no failure of the command: a script reads the\n" +
      "status of each `tool_result` in `agentd run --json`. Answers go to stdout, everything else to stderr.",
    ...(later === "" ? [] : [`Announced and not there yet: ${later}.`]),
    ...sections.map(([title, help]) => `## ${title}\n\n\`\`\`text\n${help}\`\`\``),
    "",
  ]
    .join("\n\n")
    .trimEnd()
    .concat("\n");
}

describe("docs/cli.md", () => {
  it("is what --help prints; UPDATE_DOCS=1 writes it anew", async () => {
    const page = await cliPage();
    if (process.env["UPDATE_DOCS"]) writeFileSync(join(packageRoot, CLI), page);
    expect(read(CLI)).to.equal(page);
  });

  it("has every flag, and no page names a flag that is not there", async () => {
    const known = await flags();
    const inHelp: readonly string[] = read(CLI).match(/--[a-z][a-z-]*/g) ?? [];
    expect(known.filter((flag) => !inHelp.includes(flag))).to.deep.equal([]);
    // Of HTTPie, of the demonstration, and of npm.
    const others = ["--ignore-stdin", "--once", "--save-exact"];
    const mentioned = PAGES.flatMap((page) => read(page).match(/(?<![\w-])--[a-z][a-z-]*/g) ?? []);
    expect([...new Set(mentioned)].filter((flag) => !known.includes(flag) && !others.includes(flag))).to.deep.equal([]);
  });

  it("has every command, and no page names a command that is not there", () => {
    const known = Object.keys(COMMANDS);
    expect(anchors(read(CLI))).to.include.members(known.map((name) => `agentd-${name}`));
    const mentioned = PAGES.flatMap((page) => {
      const code = [...ticked(prose(read(page))), ...blocks(read(page)).flatMap(({ text }) => text.split("\n"))];
      return code.flatMap((line) => /^ *agentd ([a-z]+)/.exec(line)?.[1] ?? []);
    });
    expect([...new Set(mentioned)].filter((name) => !known.includes(name) && name !== "listening")).to.deep.equal([]);
  });
});

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
      const run = [...read(page).matchAll(/npm run ([a-z]+)/g)].map(([, script = ""]) => script);
      expect(scripts).to.include.keys(["test", ...run]);
    }
  });

  it("has JSON that the daemon takes", () => {
    const takes: Record<string, (text: string) => unknown> = {
      "json config.json": (text) => ConfigFile.parse(JSON.parse(text)),
      "json overrides.json": parseOverrides,
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
  const [program, development] = named(page, "package");

  it("has every dependency with its reason, and no other", () => {
    const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<string, object>;
    const names = (table: Table | undefined): string[] => column(table ? [table] : []);
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
    const modes = column(named(README, "mode"), 1);
    expect(modes.filter((mode) => !mode.startsWith("--"))).to.deep.equal(
      Object.keys(PromptBody.shape).filter((key) => /^(read_only|dry_run|strict|confirm)$/.test(key)),
    );
  });
});

/** Ids at the start of the titles of all tests. */
function testedIds(folder = "test"): string[] {
  return readdirSync(join(packageRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return testedIds(path);
    if (!entry.name.endsWith(".test.ts")) return [];
    const titles = read(path).matchAll(/\b(?:it|describe)\(\s*["'`]((?:[A-O]\d{1,2}\b ?)+)/g);
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
