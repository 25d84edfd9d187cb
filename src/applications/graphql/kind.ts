// Applications with a GraphQL endpoint.
import type { ApplicationKind } from "../kind.js";
import { impliedByGraphql } from "./implied.js";

export const graphql: ApplicationKind = {
  kind: "graphql",
  sources: { graphql: async () => (await import("./source.js")).graphqlSource },
  openTransport: async (context) => (await import("./transport.js")).createGraphqlTransport(context),
  implied: impliedByGraphql,
};
