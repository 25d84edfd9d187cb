// Checks in a process of their own: one that cannot even be begun is none, and the next one is made.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { CheckQueue, serialized } from "../../../src/tools/arguments/check-process.js";

describe("Checks that wait for one process", () => {
  it("are made although one before them could not be handed over", async () => {
    const schema = serialized({ type: "object", properties: { name: { type: "string" } } });
    const request = { id: 1, schema, arguments: { name: "Rex" }, strict: false };
    // As when there is no memory for it, or for the process.
    const unfit = { ...request, arguments: { name: () => {} } as unknown as JsonObject };
    const queue = new CheckQueue();
    try {
      expect(await queue.check(unfit)).to.equal(undefined);
      expect(await queue.check(request)).to.deep.equal({ kind: "valid", arguments: { name: "Rex" } });
    } finally {
      queue.close();
    }
  });
});
