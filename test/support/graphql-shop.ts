// A real GraphQL server with a small shop: connections, plain lists, an envelope, a union, an input object, long integers, a field
// that fails. What it was asked is kept.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { GraphQLError, GraphQLScalarType, Kind, NoSchemaIntrospectionCustomRule } from "graphql";
import { createSchema, createYoga, type Plugin } from "graphql-yoga";
import { graphqlSource } from "../../src/applications/graphql/source.js";
import type { ImportReport } from "../../src/applications/source.js";
import { type Daemon, type DaemonOptions, startDaemon } from "./daemon.js";
import { type ToolCalls, toolCalls } from "./tool-calls.js";

export const SHOP_SDL = `
  """Whole numbers of any size"""
  scalar BigInt
  scalar DateTime
  scalar Upload
  scalar Color @specifiedBy(url: "https://example.org/colour")

  enum Stock { IN_STOCK SOLD_OUT }

  interface Named { id: ID!  name: String! }

  type Category implements Named { id: ID!  name: String!  products(first: Int): ProductConnection! }

  type Money { amount: Float!  currency: String! }

  "Something that is sold"
  type Product implements Named {
    id: ID!
    name: String!
    price: Float!
    stock: Stock!
    serial: BigInt!
    cost: Money
    category: Category
    related(first: Int!): [Product!]!
    secret: String
    oldName: String @deprecated(reason: "use name")
  }
  type Customer implements Named { id: ID!  name: String!  email: String  title: String }
  type PageInfo { hasNextPage: Boolean!  endCursor: String }
  type ProductEdge { cursor: String!  node: Product! }
  type ProductConnection { totalCount: Int!  pageInfo: PageInfo!  edges: [ProductEdge!]!  nodes: [Product!]! }
  type CustomerEdge { node: Customer! }
  type CustomerConnection { edges: [CustomerEdge!]!  pageInfo: PageInfo! }
  type ReviewPage { total: Int!  results: [Review!]! }
  type Review { id: ID!  text: String!  product: Product! }
  union Hit = Product | Customer | Category

  input ProductFilter { name: String  stock: Stock  any: [ProductFilter!] }
  input CreateProductInput { name: String!  price: Float!  stock: Stock = IN_STOCK  serial: BigInt  categoryId: ID  clientMutationId: String }
  input ProductChanges { name: String  price: Float  serial: BigInt }
  input ProductKey @oneOf { id: ID  name: String }
  type CreateProductPayload { clientMutationId: String  product: Product }
  type DeleteProductPayload { deletedId: ID  errors: [UserError!]! }
  type UserError { code: String!  message: String!  field: String }

  type Query {
    "The products of the shop"
    products(first: Int, after: String, where: ProductFilter): ProductConnection!
    "One product"
    product(id: ID!): Product
    productBy(key: ProductKey!): Product
    customers(first: Int = 10): CustomerConnection!
    categories: [Category!]!
    category(id: ID!): Category
    reviews(limit: Int): ReviewPage!
    search(text: String!): [Hit!]!
    serial(product: ID!): BigInt
    failing: Product
    "Sends a reminder to every customer"
    sendReminders: Boolean
    export(rows: Int!): [Product!]!
  }
  type Mutation {
    createProduct(input: CreateProductInput!): CreateProductPayload
    updateProduct(id: ID!, changes: ProductChanges!): Product
    deleteProduct(id: ID!): DeleteProductPayload
    uploadPicture(product: ID!, file: Upload!): Product
    failingChange: CreateProductPayload
  }
  type Subscription { productAdded: Product! }
`;

/** A product as the shop keeps it. */
export interface ShopProduct {
  id: string;
  name: string;
  price: number;
  stock: "IN_STOCK" | "SOLD_OUT";
  serial: bigint;
  categoryId: string | null;
}

/** The digits that a double loses. */
export const LONG_SERIAL = 12345678901234567891n;

/** One request that arrived. */
interface ShopRequest {
  method: string;
  url: string;
  headers: Record<string, string | string[] | undefined>;
  /** As it was sent. */
  body: string;
}

export interface GraphqlShop {
  url: string;
  requests: ShopRequest[];
  products: ShopProduct[];
  close(): Promise<void>;
}

/** How the shop behaves. */
export interface ShopOptions {
  introspection?: boolean;
  /** What the Authorization header must be. */
  authorization?: string;
  path?: string;
  plugins?: Plugin[];
}

const bigint = new GraphQLScalarType({
  name: "BigInt",
  serialize: (value) => `@@${String(value)}@@`,
  parseValue: (value) => BigInt(value as string),
  parseLiteral: (node) => (node.kind === Kind.INT || node.kind === Kind.STRING ? BigInt(node.value) : null),
});

const CATEGORIES = [
  { id: "c1", name: "Garden" },
  { id: "c2", name: "Kitchen" },
];
const CUSTOMERS = [
  { id: "u1", name: "Ada", email: "ada@example.org", title: "Dr" },
  { id: "u2", name: "Bob", email: null, title: null },
];

function resolversFor(products: ShopProduct[]) {
  const page = (list: ShopProduct[], first = list.length, after?: string | null) => {
    const start = after ? Number(Buffer.from(after, "base64").toString()) : 0;
    const nodes = list.slice(start, start + first);
    const end = start + nodes.length;
    const cursor = Buffer.from(String(end)).toString("base64");
    return {
      totalCount: list.length,
      pageInfo: { hasNextPage: end < list.length, endCursor: cursor },
      nodes,
      edges: nodes.map((node) => ({ cursor, node })),
    };
  };
  const find = (id: string): ShopProduct | undefined => products.find((one) => one.id === id);
  const typeOf = (one: object): string => ("price" in one ? "Product" : "email" in one ? "Customer" : "Category");
  return {
    BigInt: bigint,
    Named: { __resolveType: typeOf },
    Hit: { __resolveType: typeOf },
    Product: {
      category: ({ categoryId }: ShopProduct) => CATEGORIES.find(({ id }) => id === categoryId),
      cost: ({ price }: ShopProduct) => ({ amount: price / 2, currency: "EUR" }),
      related: (_: ShopProduct, { first }: { first: number }) => products.slice(0, first),
      secret: ({ name }: ShopProduct) => {
        if (name === "Rake") throw new GraphQLError("nobody may see the secret of a rake");
        return null;
      },
    },
    Category: {
      products: ({ id }: { id: string }, { first }: { first?: number }) =>
        page(
          products.filter((one) => one.categoryId === id),
          first,
        ),
    },
    Query: {
      products: (_: unknown, { first, after, where }: { first?: number; after?: string; where?: { name?: string } }) =>
        page(
          products.filter(({ name }) => !where?.name || name.includes(where.name)),
          first,
          after,
        ),
      product: (_: unknown, { id }: { id: string }) => find(id),
      productBy: (_: unknown, { key }: { key: { id?: string; name?: string } }) =>
        products.find((one) => one.id === key.id || one.name === key.name),
      customers: () => ({
        edges: CUSTOMERS.map((node) => ({ node })),
        pageInfo: { hasNextPage: false, endCursor: null },
      }),
      categories: () => CATEGORIES,
      category: (_: unknown, { id }: { id: string }) => CATEGORIES.find((one) => one.id === id),
      reviews: () => ({ total: 1, results: [{ id: "r1", text: "sharp", product: products[0] }] }),
      search: (_: unknown, { text }: { text: string }) =>
        [...products, ...CUSTOMERS, ...CATEGORIES].filter(({ name }) =>
          name.toLowerCase().includes(text.toLowerCase()),
        ),
      serial: (_: unknown, { product }: { product: string }) => find(product)?.serial,
      failing: () => {
        throw new GraphQLError("the warehouse is closed", { extensions: { code: "CLOSED" } });
      },
      export: (_: unknown, { rows }: { rows: number }) =>
        Array.from({ length: rows }, (__, at) => ({
          ...products[0],
          id: String(at),
          name: `Row ${at} ${"x".repeat(80)}`,
        })),
    },
    Mutation: {
      createProduct: (_: unknown, { input }: { input: Omit<ShopProduct, "id"> }) => {
        const product: ShopProduct = {
          id: String(products.length + 1),
          name: input.name,
          price: input.price,
          stock: input.stock,
          serial: input.serial ?? 0n,
          categoryId: input.categoryId ?? null,
        };
        products.push(product);
        return { product };
      },
      updateProduct: (_: unknown, { id, changes }: { id: string; changes: Partial<ShopProduct> }) => {
        const found = find(id);
        return found && Object.assign(found, changes);
      },
      deleteProduct: (_: unknown, { id }: { id: string }) => {
        const at = products.findIndex((one) => one.id === id);
        if (at < 0) return { deletedId: null, errors: [{ code: "GONE", message: `no product ${id}`, field: "id" }] };
        products.splice(at, 1);
        return { deletedId: id, errors: [] };
      },
      failingChange: () => {
        throw new GraphQLError("it broke in the middle");
      },
    },
  };
}

/** Starts the shop on a free port. */
export async function startGraphqlShop(options: ShopOptions = {}): Promise<GraphqlShop> {
  const { introspection = true, authorization, path = "/graphql", plugins = [] } = options;
  const products: ShopProduct[] = [
    { id: "1", name: "Rake", price: 12.5, stock: "IN_STOCK", serial: LONG_SERIAL, categoryId: "c1" },
    { id: "2", name: "Kettle", price: 30, stock: "SOLD_OUT", serial: 7n, categoryId: "c2" },
    { id: "3", name: "Spade", price: 18, stock: "IN_STOCK", serial: 8n, categoryId: "c1" },
  ];
  const requests: ShopRequest[] = [];
  const off: Plugin = { onValidate: ({ addValidationRule }) => addValidationRule(NoSchemaIntrospectionCustomRule) };
  const schema = createSchema({ typeDefs: SHOP_SDL, resolvers: resolversFor(products) });
  const yoga = createYoga({
    schema,
    graphqlEndpoint: path,
    graphiql: false,
    landingPage: false,
    logging: false,
    maskedErrors: false,
    plugins: [...plugins, ...(introspection ? [] : [off])],
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = request;
    const body = Buffer.concat(chunks).toString();
    requests.push({ method, url, headers, body });
    if (authorization !== undefined && headers.authorization !== authorization) {
      response.writeHead(401, { "content-type": "application/json" });
      response.end('{"errors":[{"message":"who are you?"}]}');
      return;
    }
    const given = Object.entries(headers).filter((pair): pair is [string, string] => typeof pair[1] === "string");
    const answered = await yoga.fetch(`http://shop${url}`, {
      method,
      headers: given,
      ...(method === "POST" && { body }),
    });
    const text = await answered.text();
    const type = answered.headers.get("content-type") ?? "text/plain";
    response.writeHead(answered.status, { "content-type": type });
    // A number of any size leaves as one: JSON.stringify cannot write it.
    response.end(text.replace(/"@@(-?\d+)@@"/g, "$1"));
  };
  const server: Server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    requests,
    products,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await yoga.dispose();
    },
  };
}

/** A daemon whose only application is a shop. */
export interface GraphqlDaemon extends Daemon, ToolCalls {
  shop: GraphqlShop;
  /** What sync reported. */
  report: ImportReport;
}

/** Starts a daemon and a shop, connected as `agentd sync graphql` connects them. Close it. */
export async function startGraphqlDaemon(options: ShopOptions & DaemonOptions = {}): Promise<GraphqlDaemon> {
  const shop = await startGraphqlShop(options);
  const { document, report } = await graphqlSource.read({ location: shop.url });
  const daemon = await startDaemon({ ...options, schema: document });
  return {
    ...daemon,
    shop,
    report,
    ...toolCalls(daemon.agent),
    async close(graceMs) {
      await daemon.close(graceMs);
      await shop.close();
    },
  };
}
