// Replies that no model should send: more calls, longer arguments, larger numbers and events than any task needs. Each is a turn
// of the fake vendor; names of pets are unique, so that the audit can tell their calls apart.
import type { VendorCall, VendorTurn } from "../support/vendor.js";

const call = (name: string, args: VendorCall["arguments"]): VendorCall => ({ name, arguments: args });
const pet = (name: string): VendorCall => call("create_pet", { name });
const wide = (members: number): string => Array.from({ length: members }, (_, n) => `"k${n}":${n}`).join(",");
const chunk = (delta: object): string => JSON.stringify({ choices: [{ delta, finish_reason: "tool_calls" }] });
const toolCall = (index: number, name: string, args: unknown): object => ({
  index,
  id: `call_${index}`,
  function: { name, arguments: args },
});
const many = <T>(count: number, one: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => one(n));

/** By name: the turn, for pets whose names begin with `id`. */
export const HOSTILE_REPLIES: Readonly<Record<string, (id: string) => VendorTurn>> = {
  flood: (id) => ({ calls: many(20_000, (n) => pet(`${id}.${n}`)) }),
  objects: (id) => ({
    events: [chunk({ tool_calls: many(2_000, (n) => toolCall(n, "create_pet", { name: `${id}.${n}` })) }), "[DONE]"],
  }),
  indexes: (id) => ({
    events: [
      chunk({
        tool_calls: [1e9, -1, 0.5, 1e300].map((index) => toolCall(index, "create_pet", { name: `${id}.${index}` })),
      }),
      "[DONE]",
    ],
  }),
  sameId: (id) => ({ calls: many(64, (n) => ({ ...pet(`${id}.${n}`), id: "same" })) }),
  digits: (id) => ({ calls: [call("get_pet", `{"id":${"9".repeat(1_000_000)}}`), pet(`${id}.0`)] }),
  wide: (id) => ({ calls: [call("create_pet", `{${wide(400_000)}}`), pet(`${id}.0`)] }),
  deep: (id) => ({ calls: [call("create_pet", `{"name":${"[".repeat(100_000)}`), pet(`${id}.0`)] }),
  long: (id) => ({ calls: many(16, () => pet("x".repeat(1_500_000))).concat(pet(`${id}.0`)) }),
  question: (id) => ({
    calls: [
      call("read_result", { call_id: "x", fields: many(100_000, (n) => `f${n}`) }),
      call("search_tools", { query: "pet ".repeat(200_000) }),
      pet(`${id}.0`),
    ],
  }),
  nameless: (id) => ({ calls: [call("n".repeat(1_000_000), {}), pet(`${id}.0`)] }),
  crumbs: () => ({
    events: many(200_000, () => '{"choices":[{"delta":{"content":"x"}}]}').concat(chunk({}), "[DONE]"),
  }),
};
