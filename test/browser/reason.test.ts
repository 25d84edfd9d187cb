// The reason of a failed call, found in what applications of many kinds answer.
import { expect } from "chai";
import type { JsonValue } from "../../src/lib/json.js";
import { reasonOf } from "../../static/turn/reason.js";

/** An answer over HTTP as the result of a call. */
const http = (status: number, body: JsonValue): JsonValue => ({
  error: `http_${status}`,
  message: `the target answered ${status}`,
  status,
  body,
});

const FASTAPI = { detail: [{ type: "missing", loc: ["body", "name"], msg: "Field required", input: {} }] };
const SPRING = {
  timestamp: "2026-11-23T10:00:00Z",
  status: 400,
  error: "Bad Request",
  message: "Validation failed for object='product'",
  errors: [{ codes: ["NotBlank"], field: "name", defaultMessage: "must not be blank" }],
  path: "/products",
};
const JSON_API = {
  errors: [{ status: "422", title: "Invalid", detail: "is too short", source: { pointer: "/data/attributes/name" } }],
};

/** What was answered, and the reason in it. */
const CASES: readonly [name: string, result: JsonValue, reason: string | undefined][] = [
  [
    "problem details",
    http(409, { type: "about:blank", title: "Conflict", detail: "Product 4 is in 2 open orders.", status: 409 }),
    "Product 4 is in 2 open orders.",
  ],
  ["problem details without a detail", http(404, { type: "about:blank", title: "Not Found" }), "Not Found"],
  ["a message", http(400, { message: "amount must be positive" }), "amount must be positive"],
  ["an error as a sentence", http(404, { error: "no pet" }), "no pet"],
  ["an error as a code", http(404, { error: "pet_not_found" }), "pet not found"],
  [
    "an error with a message",
    http(402, { error: { message: "Your card was declined.", code: "x" } }),
    "Your card was declined.",
  ],
  [
    "an OAuth error",
    http(400, { error: "invalid_grant", error_description: "The code has expired" }),
    "The code has expired",
  ],
  ["a list of texts", http(422, { errors: ["Name is taken", "Sku is taken"] }), "Name is taken; Sku is taken"],
  [
    "Rails",
    http(422, { errors: { name: ["can't be blank", "is too short"], base: ["No stock"] } }),
    "name: can't be blank; is too short; No stock",
  ],
  [
    "Rails with an exception",
    http(500, { status: 500, error: "Internal Server Error", exception: "#<NoMethodError>" }),
    "Internal Server Error",
  ],
  ["FastAPI", http(422, FASTAPI), "name: Field required"],
  ["FastAPI, a text", http(404, { detail: "Not found" }), "Not found"],
  ["Spring", http(400, SPRING), "Validation failed for object='product': name: must not be blank"],
  ["JSON:API", http(422, JSON_API), "name: is too short"],
  [
    "ASP.NET",
    http(400, { title: "One or more validation errors occurred.", errors: { Name: ["The Name field is required."] } }),
    "Name: The Name field is required.",
  ],
  [
    "Django REST framework",
    http(400, { name: ["This field is required."], non_field_errors: ["No."] }),
    "name: This field is required.; No.",
  ],
  [
    "zod",
    http(400, { issues: [{ path: ["items", 0, "sku"], message: "Required", code: "x" }] }),
    "items.0.sku: Required",
  ],
  [
    "Elasticsearch",
    http(400, { error: { type: "parsing_exception", reason: "Unknown key" }, status: 400 }),
    "Unknown key",
  ],
  ["a plain text", http(500, "  database is\nlocked "), "database is locked"],
  ["a page", http(502, "<html><head><title>502 Bad Gateway</title></head></html>"), "502 Bad Gateway"],
  ["JSON in a text", http(400, '{"message": "no such coupon"}'), "no such coupon"],
  [
    "nothing",
    { error: "http_404", message: "the target answered 404 Not Found", status: 404 },
    "the target answered 404 Not Found",
  ],
  [
    "GraphQL",
    { error: "graphql_error", message: "Not allowed", errors: [{ message: "Not allowed", path: ["x"] }] },
    "Not allowed",
  ],
  [
    "an argument that is not known",
    {
      error: "invalid_arguments",
      message: "unknown argument colour; list_pets takes limit",
      details: [{ pointer: "/colour", message: "is not a known name" }],
    },
    "unknown argument colour; list_pets takes limit",
  ],
  [
    "arguments of which several do not fit",
    {
      error: "invalid_arguments",
      message: "must have required property 'name'",
      details: [
        { pointer: "/name", message: "is required" },
        { pointer: "/price/amount", message: "must be number" },
      ],
    },
    "name: is required; price.amount: must be number",
  ],
  [
    "the same in a sentence and a complaint",
    http(422, { message: "Unknown argument.", errors: [{ field: "colour", message: "unknown argument" }] }),
    "colour: unknown argument",
  ],
  [
    "the same in two complaints",
    http(422, { errors: ["Unknown argument: colour.", "unknown argument: colour"] }),
    "Unknown argument: colour.",
  ],
  [
    "a complaint that names its field",
    http(422, { errors: { colour: ["colour: unknown argument"] } }),
    "colour: unknown argument",
  ],
  ["an MCP tool", { error: "tool_error", message: "disk full\nsecond line" }, "disk full second line"],
  [
    "a database",
    { error: "constraint", message: "UNIQUE constraint failed: stock.sku" },
    "UNIQUE constraint failed: stock.sku",
  ],
  [
    "the network",
    { error: "timeout", message: "127.0.0.1:80 gave no answer in time" },
    "127.0.0.1:80 gave no answer in time",
  ],
  ["a refusal by a person", { error: "denied", message: "not today" }, "not today"],
  ["a call that waits", { error: "confirmation_required", confirmation_id: "x", expires_at: "y" }, undefined],
  ["an empty object", {}, undefined],
  ["no object", null, undefined],
];

describe("The reason of a failed call in the web UI", () => {
  for (const [name, result, reason] of CASES)
    it(`is found in ${name}`, () => expect(reasonOf(result)).to.equal(reason));

  it("is bounded, however much an application says", () => {
    const errors = Array.from({ length: 10_000 }, (_, i) => ({ field: `f${i}`, message: "x".repeat(1000) }));
    const deep = Array.from({ length: 400 }).reduce<JsonValue>((inner) => ({ error: inner }), "end");
    expect(reasonOf(http(400, { errors }))).to.have.length.within(300, 410);
    expect(reasonOf(http(400, { errors: errors.slice(0, 6).map(({ field }) => ({ field, message: "no" })) }))).to.match(
      /; and 2 more$/,
    );
    expect(() => reasonOf(http(400, deep))).not.to.throw();
  });
});
