// The safety modes.
import { expect } from "chai";
import { BUILTIN_KIND } from "../../src/domain/builtin-kind.js";
import { judge, OPEN_POLICY, type Policy, tighten } from "../../src/domain/policy.js";
import type { Action, Provenance, Safety } from "../../src/domain/schema-document.js";

const action = (safety: Safety, provenance: Provenance = "declared", kind = "http"): Action => ({
  name: "t",
  application: "",
  description: "",
  resource: "",
  verb: "action",
  safety,
  provenance,
  parameters: {},
  transport: { kind },
});
const modes = ["read_only", "dry_run", "strict", "confirm"] as const;

describe("The four booleans can only tighten", () => {
  for (const mode of modes)
    it(`F1 ${mode} at startup stays on whatever the request says`, () => {
      const startup: Policy = { ...OPEN_POLICY, [mode]: true };
      expect(tighten(startup, { [mode]: false })[mode]).to.equal(true);
      expect(tighten(startup, {})[mode]).to.equal(true);
      expect(tighten(OPEN_POLICY, { [mode]: true })[mode]).to.equal(true);
      expect(tighten(OPEN_POLICY, {})[mode]).to.equal(false);
    });
});

describe("Safety modes", () => {
  const verdicts: [Partial<Policy>, Action, string][] = [
    [{}, action("destructive"), "allow"],
    [{ read_only: true }, action("read_only"), "allow"],
    [{ read_only: true }, action("mutating"), "refuse"],
    [{ read_only: true }, action("destructive"), "refuse"],
    [{ read_only: true, dry_run: true }, action("mutating"), "refuse"],
    [{ dry_run: true }, action("read_only"), "dry_run"],
    [{ dry_run: true, confirm: true }, action("destructive"), "dry_run"],
    [{ dry_run: true }, action("read_only", "declared", BUILTIN_KIND), "allow"],
    [{ strict: true }, action("read_only", "inferred"), "refuse"],
    [{ strict: true }, action("mutating", "declared"), "allow"],
    [{ confirm: true }, action("mutating"), "confirm"],
    [{ confirm: true }, action("read_only"), "allow"],
    [{ confirm: true, strict: true }, action("mutating", "inferred"), "refuse"],
  ];
  for (const [policy, one, expected] of verdicts)
    it(`${Object.keys(policy).join(" and ") || "no mode"} says ${expected} to a ${one.safety} ${one.provenance} call`, () => {
      expect(judge({ ...OPEN_POLICY, ...policy }, one).kind).to.equal(expected);
    });
});
