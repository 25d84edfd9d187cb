// Which names a pattern of a permission fits: as the regular expression it abbreviates, and quickly, whatever it is.
import { expect } from "chai";
import fc from "fast-check";
import { permissionOf, permissionRules } from "../../src/tools/permissions.js";

function isDenied(pattern: string, name: string): boolean {
  const rules = permissionRules({
    permissions: { [pattern]: "deny" },
    target: { permissions: {} },
    applications: new Map(),
  });
  return permissionOf([rules], { name, application: "" })?.is === "deny";
}

const letters = (...of: string[]) => fc.string({ unit: fc.constantFrom(...of), maxLength: 8 });

describe("Permissions: patterns", () => {
  it("fit the names that the regular expression fits", () => {
    fc.assert(
      fc.property(letters("a", "b", "*"), letters("a", "b"), (pattern, name) => {
        expect(isDenied(pattern, name)).to.equal(new RegExp(`^${pattern.replaceAll("*", ".*")}$`).test(name));
      }),
    );
  });

  it("take no time that grows with the stars", () => {
    expect(isDenied(`${"*a".repeat(40)}b`, "a".repeat(64))).to.equal(false);
  });
});
