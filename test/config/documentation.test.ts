// What is made from the tables of settings and kept in docs/: the tables of configuration.md and the schema for editors.
// UPDATE_DOCS=1 writes both anew.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { MODEL_TYPES, PROVIDER_SETTINGS } from "../../src/config/provider-table.js";
import { configJsonSchema, SCHEMA_KEY } from "../../src/config/schema.js";
import { type AnySetting, rowsOf } from "../../src/config/setting.js";
import { SETTINGS } from "../../src/config/table.js";
import { VENDORS } from "../../src/config/vendors.js";
import { toJson } from "../../src/lib/json.js";
import { packageRoot } from "../../src/lib/package.js";

const SCHEMA_ROW = [
  `\`${SCHEMA_KEY}\``,
  "",
  "",
  "",
  "for editors: where they find [config.schema.json](config.schema.json), which `agentd config --json-schema` prints too",
];

const code = (text: string): string => `\`${text}\``;

/** What stands before the keys of an application: of the one without a name, and of each other. */
const OF_TARGET = "target.";
const OF_APPLICATIONS = `${SETTINGS.applications.name}.NAME.`;

function keyCell({ name, notInFile, kind }: AnySetting, prefix = ""): string {
  if (notInFile) return "–";
  const key = `${prefix}${name}${kind.isRecord ? ".NAME" : ""}`;
  const isOfTarget = key.startsWith(OF_TARGET);
  return isOfTarget ? `${code(key)}, ${code(OF_APPLICATIONS + key.slice(OF_TARGET.length))}` : code(key);
}

function defaultCell(row: AnySetting): string {
  if (row.default === undefined) return row.defaultText ?? "";
  return code(typeof row.default === "string" ? row.default : toJson(row.default));
}

function textCell({ description, more }: AnySetting): string {
  const text = description.charAt(0).toLowerCase() + description.slice(1);
  return more === undefined ? text : `${text}; ${more}`;
}

function typesCell({ onlyTypes }: AnySetting): string {
  if (onlyTypes === undefined) return "any";
  return onlyTypes === MODEL_TYPES ? "a vendor's" : onlyTypes.map(code).join(", ");
}

function settingCells(row: AnySetting): string[] {
  const { flags = [], variables = [], unit } = row;
  const inUnit = (names: string[]): string =>
    names.map((name) => code(name) + (unit ? ` (${unit.name})` : "")).join(", ");
  const spellings = flags
    .flatMap(({ name, alias }) => [name, alias ?? []].flat())
    .map((name) => `${name.length > 1 ? "--" : "-"}${name}`);
  return [keyCell(row), inUnit(spellings), inUnit([...variables]), defaultCell(row), textCell(row)];
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`.replaceAll(/ {2,}/g, " ");
  return [line(header), `|${"---|".repeat(header.length)}`, ...rows.map(line)].join("\n");
}

const TABLES: Readonly<Record<string, string>> = {
  settings: table(
    ["key in config.json", "flag", "variable", "default", ""],
    [
      // The rows of target say what is in applications; providers have a table of their own.
      ...rowsOf(SETTINGS)
        .filter(({ row }) => row !== SETTINGS.applications && row !== SETTINGS.provider.entries)
        .map(({ row }) => settingCells(row)),
      SCHEMA_ROW,
    ],
  ),
  "provider settings": table(
    ["key", "type", "default", ""],
    rowsOf(PROVIDER_SETTINGS).map(({ row }) => [
      keyCell(row, "providers.NAME."),
      typesCell(row),
      defaultCell(row),
      textCell(row),
    ]),
  ),
};

/** A text of a vendor with its variables as a person reads them. */
const readable = (text: string): string => text.replaceAll(/\{([^}|]*)(\|[^}]*)?\}/g, "$1");

const VENDOR_TABLE = table(
  ["name", "key", "address", "model"],
  VENDORS.map(({ name, keys, sharedKeys = [], base, address, model }) => [
    code(name),
    [...keys, ...sharedKeys].map(code).join(", "),
    [
      address === undefined ? "the vendor's" : code(readable(address)),
      ...(base === undefined ? [] : [code(base)]),
    ].join(" or "),
    model === undefined ? "the type's" : model === "" ? "`--model`" : code(readable(model)),
  ]),
);

/** A page with each table between its two markers. */
function withTables(page: string, made: Readonly<Record<string, string>> = TABLES): string {
  return Object.entries(made).reduce(
    (text, [name, content]) =>
      text.replace(
        new RegExp(`(<!-- ${name}: .*-->\n)[^]*?(<!-- /${name} -->)`),
        (_, begin: string, end: string) => `${begin}${content}\n${end}`,
      ),
    page,
  );
}

describe("Documentation of settings", () => {
  const cases: [file: string, make: (text: string) => string][] = [
    ["configuration.md", (page) => withTables(page)],
    ["models.md", (page) => withTables(page, { vendors: VENDOR_TABLE })],
    ["config.schema.json", () => `${toJson(configJsonSchema(), 2)}\n`],
  ];
  for (const [name, make] of cases)
    it(`docs/${name} is made from the tables; UPDATE_DOCS=1 writes it anew`, () => {
      const file = join(packageRoot, "docs", name);
      if (process.env["UPDATE_DOCS"]) writeFileSync(file, make(readFileSync(file, "utf8")));
      const text = readFileSync(file, "utf8");
      expect(text).to.equal(make(text));
    });

  it("docs/configuration.md has a place for each table", () => {
    const page = readFileSync(join(packageRoot, "docs", "configuration.md"), "utf8");
    for (const content of Object.values(TABLES)) expect(page).to.include(content);
    expect(readFileSync(join(packageRoot, "docs", "models.md"), "utf8")).to.include(VENDOR_TABLE);
  });
});
