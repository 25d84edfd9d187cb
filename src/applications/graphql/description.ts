// How an action of kind `graphql` is called: the `transport` object of a schema document, as the importer writes it and as an
// operation is made from it. One operation has one root field.
import { z } from "zod";
import type { JsonObject, JsonValue } from "../../lib/json.js";

/** Source: GraphQL, section 2.1.9 (Names). */
const NAME = /^[_A-Za-z][_0-9A-Za-z]*$/;
const TYPE = /^[[\]!_0-9A-Za-z]+$/;

const name = z.string().regex(NAME, "a name in it is no name of GraphQL");
const type = z.string().regex(TYPE, "a type in it is no type of GraphQL");

/** The object itself. Its issues are sentences for the message that the action cannot be called. */
export const GraphqlDescription = z.object({
  kind: z.literal("graphql"),
  operation: z.enum(["query", "mutation"], "it is neither a query nor a mutation"),
  /** The root field. */
  field: name,
  /** What the field gives, as GraphQL writes types: "[Product!]!". */
  returns: type,
  /** The types of the field's arguments, by their names. */
  variables: z.record(name, type).default({}),
  /** The one of `variables` whose members are arguments of the tool. */
  input: name.optional(),
  /** What arguments are called in the request, where that is another name. */
  names: z.record(z.string(), z.string()).default({}),
  /** Values of variables that are sent when no argument sets them. */
  defaults: z.custom<JsonObject>().optional(),
  /** What is asked of the field's value unless `fields` says otherwise; missing where it has no members. */
  selection: z.string().optional(),
  /** Where the rows of a connection are. */
  rows: z.enum(["nodes", "edges"]).optional(),
  /** The argument that lists what is asked of the field's value. */
  fields: z.string().optional(),
  /** What stands behind the document's address: "/", "?version=2". */
  tail: z.string().optional(),
  /** As for kind `http`. */
  security: z.custom<JsonValue>().optional(),
});

/** As it is written to a document. */
export type WrittenGraphqlDescription = z.input<typeof GraphqlDescription>;

/** As it is read, with every default filled in. */
export type GraphqlDescription = z.output<typeof GraphqlDescription>;
