// A text to a GraphQL schema: SDL, or what introspection answers, with or without what it is wrapped in.
import {
  buildASTSchema,
  buildClientSchema,
  type DocumentNode,
  type GraphQLSchema,
  type IntrospectionQuery,
  Kind,
  parse,
} from "graphql";
import { messageOf, StartError } from "../../domain/error.js";
import { isObject, type JsonValue, objectOf, parseJson } from "../../lib/json.js";

/** Tokens of an SDL text; the largest schemas in use have a few hundred thousand. */
const MAX_TOKENS = 10_000_000;

/** Types that a text only extends, as if it defined them: a part of a larger schema is one, too. */
function withDefinitions(document: DocumentNode): DocumentNode {
  const defined = new Set(
    document.definitions.flatMap((one) => (one.kind === Kind.OBJECT_TYPE_DEFINITION ? [one.name.value] : [])),
  );
  const definitions = document.definitions.map((one) => {
    if (one.kind !== Kind.OBJECT_TYPE_EXTENSION || defined.has(one.name.value)) return one;
    defined.add(one.name.value);
    return { ...one, kind: Kind.OBJECT_TYPE_DEFINITION } as const;
  });
  return { ...document, definitions };
}

/** The schema that an introspection result describes; undefined for any other JSON. Throws Error for a broken one. */
export function fromIntrospection(value: JsonValue): GraphQLSchema | undefined {
  const found = [value, objectOf(value)["data"], objectOf(value)["introspection"]].find(
    (one) => isObject(one) && isObject(one["__schema"]),
  );
  return isObject(found) ? buildClientSchema(found as unknown as IntrospectionQuery, { assumeValid: true }) : undefined;
}

function fromSdl(text: string): GraphQLSchema {
  const document = parse(text, { noLocation: true, maxTokens: MAX_TOKENS });
  // Directives of servers and gateways are seldom defined in what they print.
  return buildASTSchema(withDefinitions(document), { assumeValid: true, assumeValidSDL: true });
}

/** The schema in a text. Throws StartError that says what `where` is not. */
export function readSchemaText(text: string, where: string): GraphQLSchema {
  const plain = text.replace(/^\ufeff/, "");
  const isJson = /^\s*[{[]/.test(plain);
  let schema: GraphQLSchema | undefined;
  try {
    schema = isJson ? fromIntrospection(parseJson(plain)) : fromSdl(plain);
  } catch (error) {
    const kind = isJson ? "an introspection result" : "a GraphQL schema";
    throw new StartError(`${where} cannot be read as ${kind}: ${messageOf(error)}`, { cause: error });
  }
  if (!schema)
    throw new StartError(`${where} is JSON and no introspection result: it has no "__schema", nor "data" with one.`);
  return schema;
}
