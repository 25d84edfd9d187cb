// The sample application's OpenAPI 3.1 document, made from its operations.
import { z } from "zod";
import type { JsonObject, JsonValue } from "../lib/json.js";
import type { AnyOperation } from "./operation.js";

/** `$ref` to a component schema. */
export const componentRef = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** The envelope every list answers with. */
export const page = (name: string): JsonObject => ({
  type: "object",
  required: ["items", "total", "limit", "offset"],
  properties: {
    items: { type: "array", items: componentRef(name) },
    total: { type: "integer", description: "How many match, on all pages" },
    limit: { type: "integer" },
    offset: { type: "integer" },
  },
});

const SCHEMAS: JsonObject = {
  Product: {
    type: "object",
    properties: {
      id: { type: "integer" },
      sku: { type: "string" },
      name: { type: "string" },
      category: { type: "string" },
      price: { type: "number", description: "In euros" },
      stock: { type: "integer" },
      description: { type: "string" },
    },
  },
  Customer: {
    type: "object",
    properties: {
      id: { type: "integer" },
      name: { type: "string" },
      email: { type: "string" },
      city: { type: "string" },
      country: { type: "string" },
      tier: { type: "string", enum: ["bronze", "silver", "gold"] },
      created_at: { type: "string", format: "date" },
    },
  },
  OrderLine: {
    type: "object",
    properties: {
      product_id: { type: "integer" },
      product: { type: "string" },
      quantity: { type: "integer" },
      unit_price: { type: "number" },
    },
  },
  Order: {
    type: "object",
    properties: {
      id: { type: "integer" },
      customer_id: { type: "integer" },
      customer: { type: "string" },
      status: { type: "string", enum: ["pending", "paid", "shipped", "delivered", "cancelled"] },
      total: { type: "number", description: "In euros" },
      note: { type: "string" },
      tracking_number: { type: ["string", "null"] },
      created_at: { type: "string", format: "date" },
      lines: { type: "array", items: componentRef("OrderLine") },
    },
  },
  Error: {
    type: "object",
    required: ["error"],
    properties: {
      error: {
        type: "object",
        required: ["code", "message"],
        properties: { code: { type: "string" }, message: { type: "string" } },
      },
    },
  },
};

/** JSON Schema of a zod object as the document shows it; `output` because a query's numbers are numbers to its caller. */
function jsonSchema(schema: z.ZodObject, io: "input" | "output"): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest as JsonObject;
}

function queryParameters(one: AnyOperation): JsonValue[] {
  const properties = one.query ? (jsonSchema(one.query, "output")["properties"] as JsonObject) : {};
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = schema as JsonObject;
    return { name, in: "query", ...(description !== undefined && { description }), schema: rest };
  });
}

function pathParameters(one: AnyOperation): JsonValue[] {
  return [...one.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "integer", minimum: 1 },
  }));
}

const failure = (description: string): JsonObject => ({
  description,
  content: { "application/json": { schema: componentRef("Error") } },
});

/** What an operation answers with, in words; it becomes the description of the tool. */
function returns({ answer = {} }: AnyOperation): string {
  const nameOf = (schema: unknown): string => String((schema as JsonObject | undefined)?.["$ref"]).replace(/^.*\//, "");
  const items = (answer["properties"] as JsonObject | undefined)?.["items"] as JsonObject | undefined;
  if (items) return `A page of ${nameOf(items["items"]).toLowerCase()}s`;
  if (answer["$ref"]) return `The ${nameOf(answer).toLowerCase()}`;
  return answer["type"] ? "The report" : "It is gone";
}

function describe(one: AnyOperation): JsonObject {
  const problems = { 400: "The request does not fit", ...one.problems };
  const answer = one.answer ? { content: { "application/json": { schema: one.answer } } } : {};
  const body = one.body && jsonSchema(one.body, "input");
  return {
    operationId: one.operationId,
    summary: one.summary,
    tags: [one.tag],
    parameters: [...pathParameters(one), ...queryParameters(one)],
    ...(body && {
      requestBody: {
        required: Array.isArray(body["required"]) && body["required"].length > 0,
        content: { "application/json": { schema: body } },
      },
    }),
    responses: {
      [one.status]: { description: returns(one), ...answer },
      ...Object.fromEntries(Object.entries(problems).map(([status, text]) => [status, failure(text)])),
    },
  };
}

/** The document. Its server is relative: wherever the document was read from. */
export function openApiDocument(operations: readonly AnyOperation[]): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const one of operations) paths[one.path] = { ...paths[one.path], [one.method]: describe(one) };
  return {
    openapi: "3.1.0",
    info: {
      title: "Copper Kettle",
      version: "1.0.0",
      description: "A small shop for coffee and tea: its products, customers, orders and reports.",
    },
    servers: [{ url: "/" }],
    tags: [{ name: "products" }, { name: "customers" }, { name: "orders" }, { name: "reports" }],
    paths,
    components: { schemas: SCHEMAS },
  };
}
