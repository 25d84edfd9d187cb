// What applications.json keeps.
import { readFileSync } from "node:fs";
import { expect } from "chai";
import { type JsonObject, objectOf, parseJson } from "../../src/lib/json.js";

/** What the file has of each application, but for the time of its sync, which must be a moment ago. */
export function keptApplications(file: string): JsonObject {
  const entries = Object.entries(objectOf(parseJson(readFileSync(file, "utf8"))));
  return Object.fromEntries(
    entries.map(([name, entry]) => {
      const { synced_at, ...rest } = objectOf(entry);
      expect(Date.parse(String(synced_at))).to.be.closeTo(Date.now(), 60_000);
      return [name, rest];
    }),
  );
}
