// The index of a description that a package brings: what search_tools, the UI and `agentd tools` search.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { openapiSource } from "../../../src/applications/http/openapi/source.js";
import { impliedByTransport } from "../../../src/applications/kinds.js";
import { parseSchema } from "../../../src/domain/schema-document.js";
import { toJson } from "../../../src/lib/json.js";
import { createCatalogue } from "../../../src/tools/catalogue.js";
import { createIndex, type ToolIndex } from "../../../src/tools/search/tool-index.js";

/** Imports `file` of the installed package and indexes its tools. */
export async function indexOf(name: string, file: string): Promise<ToolIndex> {
  const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  const { document } = await openapiSource.read({ location: join(folder, file), baseUrl: "http://127.0.0.1:1" });
  return createIndex(createCatalogue(parseSchema(toJson(document), impliedByTransport)).tools, { lenient: true });
}
