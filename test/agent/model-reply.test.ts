// One reply of a model whose deltas are all there at once.
import { expect } from "chai";
import type { TurnContext } from "../../src/agent/context.js";
import { modelReply } from "../../src/agent/model-reply.js";
import { createRedactor } from "../../src/lib/redact/redact.js";
import type { Provider } from "../../src/providers/provider.js";

const DELTAS = 300_000;
const TICK_MS = 5;

/** A provider that waits for nothing. */
const bursting: Pick<Provider, "reply" | "resultBudget"> = {
  resultBudget: 1_000,
  async *reply() {
    for (let n = 0; n < DELTAS; n++) yield { kind: "text", text: "y" };
    return { text: "", calls: [], finish: "stop" };
  },
};

describe("Limits and promises: a reply of the model", () => {
  it("Q7 lets other work go on while a burst of deltas is passed on", async () => {
    const context: Partial<Record<keyof TurnContext, unknown>> = {
      modelProvider: bursting,
      catalogue: { glossary: {} },
      useLimits: { refusalOf: async () => undefined },
      redactor: createRedactor([]),
      earlierMessages: [],
      newMessages: [],
    };
    let ticks = 0;
    const ticking = setInterval(() => ticks++, TICK_MS);
    const start = performance.now();
    let text = "";
    for await (const event of modelReply(context as unknown as TurnContext, [], {
      seenIds: new Set(),
      repliesLeft: 1,
    }))
      if (event.kind === "assistant_delta") text += event.text;
    const took = performance.now() - start;
    clearInterval(ticking);
    expect(text).to.equal("y".repeat(DELTAS));
    // One slice takes 8 ms; the timer comes round after each.
    expect(ticks).to.be.above(took / 100);
  }).timeout(30_000);
});
