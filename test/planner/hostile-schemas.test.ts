// Slots of tools whose schemas mean much more than they say: alternatives that double, schemas that are forms of themselves,
// objects in objects in objects.
import { expect } from "chai";
import { createHttpTransport } from "../../src/applications/http/transport.js";
import { impliedByTransport } from "../../src/applications/kinds.js";
import { type Action, parseSchema } from "../../src/domain/schema-document.js";
import type { Tool } from "../../src/domain/tool.js";
import { type JsonObject, toJson } from "../../src/lib/json.js";
import { slotsOf } from "../../src/planner/slots/slot.js";
import { createCatalogue } from "../../src/tools/catalogue.js";

const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
const from = (count: number, make: (i: number) => [string, JsonObject]): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => make(i)));

/** Definitions, of which the argument `value` is `D0`. */
const SCHEMAS: Readonly<Record<string, JsonObject>> = {
  "alternatives that double": from(60, (i) => [`D${i}`, { anyOf: [ref(`D${i + 1}`), ref(`D${i + 1}`)] }]),
  "parts that double": from(60, (i) => [`D${i}`, { allOf: [ref(`D${i + 1}`), ref(`D${i + 1}`)] }]),
  "a form of itself": { D0: { anyOf: [ref("D0"), { oneOf: [ref("D0")] }] } },
  "forms of each other": from(150, (i) => [
    `D${i}`,
    { oneOf: Array.from({ length: 150 }, (_, n) => ref(`D${(i + n) % 150}`)) },
  ]),
  "300 members at each of four levels": from(4, (i) => [
    `D${i}`,
    { type: "object", properties: from(300, (n) => [`p${n}`, i === 3 ? { type: "string" } : ref(`D${i + 1}`)]) },
  ]),
};

/** An action with these definitions, shared or its own, and its tool. */
function made($defs: JsonObject, isShared: boolean): { action: Action; tool: Tool } {
  const parameters = {
    type: "object",
    properties: { value: ref("D0") },
    required: ["value"],
    ...(!isShared && { $defs }),
  };
  const transport = { kind: "http", method: "GET", path: "/x", parameters: [{ name: "value", in: "query" }] };
  const resources = [{ name: "r", actions: [{ name: "hostile", parameters, transport }] }];
  const document = parseSchema(toJson({ resources, ...(isShared && { $defs }) }), impliedByTransport);
  return { action: document.actions[0] as Action, tool: createCatalogue(document).tools[0] as Tool };
}

describe("Hostile schemas", function () {
  this.timeout(20_000);

  for (const [name, definitions] of Object.entries(SCHEMAS))
    for (const isShared of [false, true]) {
      const where = isShared ? "in the document" : "in the tool";
      it(`G29 ${name}, ${where}: the planner has slots for it, not too many`, () => {
        const slots = slotsOf(made(definitions, isShared).tool);
        expect(slots.length).to.be.within(1, 2000);
        expect(slots[0]?.path[0]).to.equal("value");
      });

      it(`G29 ${name}, ${where}: a request is made of it`, async () => {
        const transport = createHttpTransport();
        const target = {
          application: "",
          baseUrl: "http://127.0.0.1:9",
          headers: {},
          schemes: {},
          credentials: {},
          timeoutMs: 1000,
          allowFiles: false,
        };
        const args = { value: "a" };
        const { request } = transport.prepare(made(definitions, isShared).action, { sent: args, shown: args }, target);
        expect(request).to.deep.equal({ method: "GET", url: "http://127.0.0.1:9/x?value=a" });
        await transport.close?.();
      });
    }
});
