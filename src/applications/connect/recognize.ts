// Which kind of description a location or a text is, as far as either shows it; a person may say otherwise. Pure. Used by `agentd init`
// and by what connects applications to a daemon. Source: docs/reference.md, "The guided first start" and "Connecting an application".
import { isDatabaseAddress } from "../sql/location.js";

/** A kind that `agentd sync` knows, and by what it was recognized, to be read after "because". */
interface Recognized {
  kind: "openapi" | "graphql" | "sql" | "mcp";
  why: string;
}

const DATABASE_FILE = /\.(?:db3?|sqlite3?)$/i;
/** Source: https://www.sqlite.org/fileformat2.html#magic_header_string */
const SQLITE = "SQLite format 3\0";
const GRAPHQL_FILE = /\.(?:graphqls?|gql)$/i;
const SDL = /^\s*(?:"""|#|schema\b|type\b|extend\b|enum\b|input\b|scalar\b|interface\b|union\b|directive\b)/;
const OPENAPI_YAML = /^\s*(?:#[^\n]*\n\s*)*["']?(?:openapi|swagger)["']?\s*:/;
const INTROSPECTION = /^\s*\{[\s\S]{0,400}"__schema"/;

/** The kind of a text, or of the beginning of one. */
export function recognizeText(text: string): Recognized {
  if (text.startsWith(SQLITE)) return { kind: "sql", why: "the file is a SQLite database" };
  if (!OPENAPI_YAML.test(text) && (SDL.test(text) || INTROSPECTION.test(text)))
    return { kind: "graphql", why: "it begins as a GraphQL schema does" };
  return { kind: "openapi", why: "it is read as an OpenAPI description" };
}

/** The kind that an address or the name of a file leads to; undefined for what is neither. */
export function recognizeLocation(location: string): Recognized | undefined {
  if (location.startsWith("env:")) return { kind: "sql", why: "only a database is given by a variable" };
  if (isDatabaseAddress(location)) return { kind: "sql", why: "it is the address of a database" };
  const isWeb = /^https?:\/\//i.test(location) && URL.canParse(location);
  const path = isWeb ? new URL(location).pathname : location;
  if (GRAPHQL_FILE.test(path)) return { kind: "graphql", why: "its name is that of a GraphQL schema" };
  if (isWeb && /graphql/i.test(path)) return { kind: "graphql", why: "its path is that of a GraphQL endpoint" };
  if (isWeb && /\/(?:mcp|sse)\/?$/i.test(path)) return { kind: "mcp", why: "its path is that of an MCP server" };
  if (isWeb) return { kind: "openapi", why: "it is an address, where a description is looked for" };
  if (DATABASE_FILE.test(path)) return { kind: "sql", why: "its name is that of a SQLite file" };
  return undefined;
}
