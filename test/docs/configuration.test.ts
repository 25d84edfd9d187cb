// docs/configuration.md has every key and variable, and no page names a variable that does not exist.
import { expect } from "chai";
import { configJsonSchema } from "../../src/config/schema.js";
import { VARIABLES } from "../../src/config/variables.js";
import { parseOverrides } from "../../src/tools/overrides.js";
import { namesIn, PAGES, read, sorted, tablesOf } from "../support/docs.js";

const CONFIGURATION = read("docs/configuration.md");

/** A price is one value of four numbers, which the reference describes. */
const IS_PRICE = /\.(price|prices\.NAME)$/;

/** Every key of a JSON Schema by its path, `NAME` standing for any name. */
function keysOf(schema: Record<string, unknown>, path = ""): string[] {
  if (IS_PRICE.test(path)) return [path];
  const at = (key: string): string => (path === "" ? key : `${path}.${key}`);
  const { properties, additionalProperties } = schema as Record<string, Record<string, Record<string, unknown>>>;
  const inner = Object.entries(properties ?? {}).flatMap(([key, value]) => keysOf(value, at(key)));
  const any = typeof additionalProperties === "object" ? keysOf(additionalProperties, at("NAME")) : [];
  return inner.length + any.length === 0 ? [path] : [...inner, ...any];
}

/** Variables of the terminal, which are no settings: as PAGER and NO_COLOR they are the account's. */
const TERMINALS_OWN = ["AGENTD_PAGER"];
/** Variables that only the tests read. */
const TESTS_OWN = ["AGENTD_SPECS"];

describe("docs/configuration.md", () => {
  const settings = tablesOf(CONFIGURATION, "key in config.json");

  it("has every key of config.json, and no other", () => {
    const documented = [...namesIn(settings), ...namesIn(tablesOf(CONFIGURATION, "key", "Models"))];
    expect(sorted(documented)).to.deep.equal(sorted(keysOf(configJsonSchema() as Record<string, unknown>)));
  });

  it("has every environment variable, and no page names another", () => {
    expect(sorted(namesIn(settings, 2))).to.deep.equal(sorted(VARIABLES));
    const mentioned = new Set(PAGES.flatMap((page) => read(page).match(/\bAGENTD_[A-Z_]*[A-Z]\b/g) ?? []));
    expect([...VARIABLES, ...TERMINALS_OWN, ...TESTS_OWN]).to.include.members([...mentioned]);
  });

  it("has every key of overrides.json, and no other", () => {
    const refusal = /known are ([\w, ]+)\./;
    let known = "";
    try {
      parseOverrides('{ "tool": { "nonsense": 1 } }');
    } catch (error) {
      known = refusal.exec(String(error))?.[1] ?? "";
    }
    expect(sorted(namesIn(tablesOf(CONFIGURATION, "key", "The data directory")))).to.deep.equal(
      sorted(known.split(", ")),
    );
  });
});
