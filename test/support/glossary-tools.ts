// A small catalogue in which nothing is called a till.
import { impliedByTransport } from "../../src/applications/kinds.js";
import { readSchema } from "../../src/domain/schema-document.js";
import type { JsonObject } from "../../src/lib/json.js";
import { type Catalogue, createCatalogue } from "../../src/tools/catalogue.js";
import type { Glossary } from "../../src/tools/search/glossary.js";

const byId = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] };
const action = (name: string, parameters: JsonObject, transport: JsonObject): JsonObject => ({
  name,
  description: "",
  provenance: "declared",
  parameters,
  transport: { kind: "http", ...transport },
});

/** Doors and point-of-sale terminals, which can be listed, read and opened. */
export const TILLS: JsonObject = {
  version: 1,
  source: "openapi",
  base_url: "http://127.0.0.1:9",
  resources: ["door", "pos_terminal"].map((noun) => ({
    name: `${noun}s`,
    actions: [
      action(`list_${noun}s`, { type: "object" }, { method: "GET", path: `/${noun}s` }),
      action(`get_${noun}`, byId, {
        method: "GET",
        path: `/${noun}s/{id}`,
        parameters: [{ name: "id", in: "path", key: "id" }],
      }),
      action(`open_${noun}`, byId, {
        method: "POST",
        path: `/${noun}s/{id}/open`,
        parameters: [{ name: "id", in: "path", key: "id" }],
      }),
    ],
  })),
};

/** The same as a catalogue. */
export function catalogueOf(glossary?: Glossary): Catalogue {
  return createCatalogue(readSchema(TILLS, impliedByTransport), glossary);
}
