// GraphQL schemas to schema documents: an endpoint is asked for its schema, a file or standard input holds it. Knows nothing of data
// directories or of calls. Source: docs/graphql.md, "Connecting".
import { StartError } from "../../domain/error.js";
import { displayUrl, isStandardInput, loadText, locationUrl, newBudget } from "../http/openapi/load/load.js";
import type { Imported, Source, SourceInput } from "../source.js";
import { BEARER, schemaToDocument } from "./document.js";
import { endpointAt, type GraphqlEndpoint } from "./endpoint.js";
import { introspect, NoEndpointError } from "./introspect.js";
import { readSchemaText } from "./read-schema.js";

/** Addresses of files: what they hold is read, and nothing is asked. */
const IS_FILE = /\.(?:graphqls?|gql|sdl|json)$/i;

/** Throws StartError when there is nothing to be made of a schema. */
function checked(found: Pick<Imported, "document" | "report">, where: string): typeof found {
  const { operations, imported, skipped } = found.report;
  if (operations === 0) throw new StartError(`${where} has no operations: neither a query nor a mutation.`);
  const [first] = skipped;
  if (imported === 0 && first)
    throw new StartError(
      `None of the ${operations} operations of ${where} can be imported; ${first.operation}: ${first.reason}.`,
    );
  return found;
}

/** Where endpoints mostly are, in the folder that was named. */
const USUAL_PLACES = ["graphql", "api/graphql", "query"];

async function readEndpoint(url: URL, input: SourceInput): Promise<Imported> {
  const endpoint = endpointAt(url.href);
  const where = endpoint.baseUrl + endpoint.tail.replace(/\?.*$/, "");
  const known = { ...BEARER, ...input.access?.schemes };
  const access = input.access && { ...input.access, schemes: known };
  input.onStep?.("asking for the schema");
  const { schema, needsCredential } = await introspect(endpoint, where, { ...input, ...(access && { access }) });
  const isElsewhere = input.baseUrl !== undefined && input.baseUrl !== endpoint.baseUrl;
  const { baseUrl, tail }: GraphqlEndpoint = isElsewhere ? { baseUrl: input.baseUrl ?? "", tail: "" } : endpoint;
  input.onStep?.("making tools");
  const found = checked(schemaToDocument(schema, { baseUrl, tail, needsCredential }), where);
  return { ...found, origin: url.origin, isNamed: true };
}

/** The endpoint that was named, or one of the usual places behind the address of an application. */
async function findEndpoint(url: URL, input: SourceInput): Promise<Imported> {
  try {
    return await readEndpoint(url, input);
  } catch (error) {
    if (!(error instanceof NoEndpointError) || /graphql/i.test(url.pathname)) throw error;
    for (const place of USUAL_PLACES) {
      const other = new URL(url.pathname.replace(/\/*$/, `/${place}`), url.origin);
      const imported = await readEndpoint(other, input).catch((failure: unknown) => {
        if (failure instanceof NoEndpointError) return undefined;
        throw failure;
      });
      if (imported)
        return { ...imported, found: `Read from ${other.href}: ${displayUrl(url)} is no GraphQL endpoint.` };
    }
    throw error;
  }
}

async function readText(url: URL, { baseUrl = "", headers = {}, onStep }: SourceInput): Promise<Imported> {
  onStep?.("fetching the schema");
  const where = displayUrl(url);
  const isWeb = url.protocol !== "file:";
  const text = await loadText(url, isWeb ? headers : {}, newBudget());
  onStep?.("making tools");
  const schema = readSchemaText(text, where);
  const found = checked(schemaToDocument(schema, { baseUrl, tail: "", needsCredential: false }), where);
  if (baseUrl === "")
    found.report.warnings.push(
      "A schema does not say where its endpoint is; pass --base-url, like http://127.0.0.1:4000/graphql.",
    );
  return { ...found, origin: isWeb ? url.origin : undefined };
}

/** GraphQL endpoints, SDL and introspection results. */
export const graphqlSource: Source = {
  kind: "graphql",
  async read(input: SourceInput): Promise<Imported> {
    const url = locationUrl(input.location);
    const isText = isStandardInput(url) || url.protocol === "file:" || IS_FILE.test(url.pathname);
    return isText ? readText(url, input) : findEndpoint(url, input);
  },
};
