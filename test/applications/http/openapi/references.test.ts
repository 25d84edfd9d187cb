// A description of many files (library/), with a reference at every place where the standard allows one. What is expected was written
// by hand from the files and the standard: no value here was taken from an import.
// Source: OpenAPI 3.2, Reference Object, Path Item Object, Media Type Object; JSON Schema 2020-12, Core, 8.2.
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { createHttpTransport } from "../../../../src/applications/http/transport.js";
import type { JsonObject, JsonValue } from "../../../../src/lib/json.js";
import { send, targetAt } from "../../../support/http.js";
import { type RecordingTarget, startTarget } from "../../../support/target.js";
import { body, compile, imported, importFrom, openapi, type Result } from "./imported.js";

const LIBRARY = fileURLToPath(new URL("library/api.yaml", import.meta.url));

/** One operation of the library as its source has it. */
interface Expected {
  method: string;
  path: string;
  /** Every name that it takes from the caller. */
  takes: string[];
  required: string[];
  /** Arguments that its schemas allow, and what must arrive. */
  right: JsonObject;
  /** The request target as it must arrive. */
  target: string;
  headers?: Record<string, string>;
  json?: JsonValue;
  text?: string;
  /** Arguments that one of its schemas, wherever it stands, does not allow. */
  wrong: JsonObject[];
}

const person = { name: "Ada", home: { street: "Mill Lane" } };
const loan = {
  book: 3,
  borrower: person,
  note: "late",
  place: { shelf: 2, room: "attic" },
  offer: "sale",
  tree: { value: 1, children: [{ value: 2, children: [] }] },
  x_mark: "red",
};
/** Each differs from a loan in what one reference leads to. */
const notLoans: JsonObject[] = [
  { ...loan, borrower: {} },
  { ...loan, borrower: { name: "Ada", home: {} } },
  { ...loan, note: "no" },
  { ...loan, place: { shelf: 0 } },
  { ...loan, place: { room: "kitchen" } },
  { ...loan, offer: "none" },
  { ...loan, tree: { children: [{ value: "two" }] } },
  { ...loan, tree: { children: [{ leaves: 1 }] } },
  { ...loan, x_mark: "longer than twenty letters" },
  { ...loan, other: 1 },
];
const novel = { kind: "Novel", title: "Emma", chapters: 55, loans: [loan] };
const notBooks: JsonObject[] = [
  { ...novel, kind: "Poem" },
  { ...novel, chapters: "many" },
  { kind: "Novel", title: "Emma" },
  { ...novel, title: "longer than twenty letters" },
  { ...novel, loans: [{ book: 1 }] },
];

const LIBRARY_OPERATIONS: Record<string, Expected> = {
  list_books: {
    method: "GET",
    path: "/books",
    takes: ["page", "sort", "filter", "X-Trace"],
    required: [],
    right: { page: 2, sort: "year", filter: { author: "Austen" }, "X-Trace": "abc" },
    target: "/books?page=2&sort=year&filter=%7B%22author%22%3A%22Austen%22%7D",
    headers: { "X-Trace": "abc" },
    wrong: [{ page: 0 }, { sort: "price" }, { filter: { author: 1 } }, { "X-Trace": "longer than twenty letters" }],
  },
  add_book: {
    method: "POST",
    path: "/books",
    takes: ["page", "sort", "body"],
    required: [],
    right: { body: { kind: "map", title: "World", maps: 9 } },
    target: "/books",
    json: { kind: "map", title: "World", maps: 9 },
    wrong: [...notBooks.map((one) => ({ body: one })), { body: { kind: "Atlas", title: "World" } }],
  },
  get_book: {
    method: "GET",
    path: "/books/{book_id}",
    takes: ["book_id"],
    required: ["book_id"],
    right: { book_id: 7 },
    target: "/books/7",
    wrong: [{ book_id: "seven" }],
  },
  replace_book: {
    method: "PUT",
    path: "/books/{book_id}",
    takes: ["book_id", "body"],
    required: ["book_id", "body"],
    right: { book_id: 7, body: novel },
    target: "/books/7",
    json: novel,
    wrong: notBooks.map((one) => ({ book_id: 7, body: one })),
  },
  list_loans: {
    method: "GET",
    path: "/loans",
    takes: ["page"],
    required: [],
    right: { page: 1 },
    target: "/loans?page=1",
    wrong: [{ page: 0 }],
  },
  create_loan: {
    method: "POST",
    path: "/loans",
    takes: ["body"],
    required: ["body"],
    right: { body: loan },
    target: "/loans",
    json: loan,
    wrong: notLoans.map((one) => ({ body: one })),
  },
  change_loan: {
    method: "PUT",
    path: "/loans/{loan_id}",
    takes: ["loan_id", "body"],
    required: ["loan_id", "body"],
    right: { loan_id: 4, body: loan },
    target: "/loans/4",
    json: loan,
    wrong: [{ loan_id: "four", body: loan }, ...notLoans.map((one) => ({ loan_id: 4, body: one }))],
  },
  upload_cover: {
    method: "POST",
    path: "/covers",
    takes: ["book", "picture", "pages"],
    required: ["book"],
    right: { book: 3, picture: "data:;base64,iVBORw==", pages: ["one", "two"] },
    target: "/covers",
    text:
      '--B\r\nContent-Disposition: form-data; name="book"\r\n\r\n3\r\n' +
      '--B\r\nContent-Disposition: form-data; name="picture"; filename="picture"\r\nContent-Type: image/png\r\n\r\n\x89PNG\r\n' +
      '--B\r\nContent-Disposition: form-data; name="pages"; filename="pages-1"\r\nContent-Type: application/octet-stream\r\n\r\none\r\n' +
      '--B\r\nContent-Disposition: form-data; name="pages"; filename="pages-2"\r\nContent-Type: application/octet-stream\r\n\r\ntwo\r\n' +
      "--B--\r\n",
    wrong: [{ book: "three" }, { picture: "x" }, { book: 3, pages: "one" }],
  },
  search_books: {
    method: "QUERY",
    path: "/search",
    takes: ["text"],
    required: [],
    right: { text: "sea" },
    target: "/search",
    json: { text: "sea" },
    wrong: [{ text: "longer than twenty letters" }],
  },
  copy_search: {
    method: "COPY",
    path: "/search",
    takes: ["X-Trace"],
    required: [],
    right: { "X-Trace": "abc" },
    target: "/search",
    headers: { "X-Trace": "abc" },
    wrong: [{ "X-Trace": 1 }],
  },
  add_reviews: {
    method: "POST",
    path: "/reviews",
    takes: ["body"],
    required: ["body"],
    right: { body: [{ stars: 5 }, { stars: 1 }] },
    target: "/reviews",
    headers: { "content-type": "application/jsonl" },
    text: '{"stars":5}\n{"stars":1}\n',
    wrong: [{ body: { stars: 5 } }, { body: [{}] }],
  },
};

describe("agentd sync openapi: references at every place", () => {
  let result: Result;
  let server: RecordingTarget;
  const transport = createHttpTransport();
  before(async () => {
    result = await importFrom(LIBRARY);
    server = await startTarget();
  });
  after(async () => {
    await transport.close?.();
    await server.close();
  });

  it("makes a tool of every operation that can be found, wherever it is kept", () => {
    expect(result.names).to.have.members(Object.keys(LIBRARY_OPERATIONS));
    expect(result.report.operations).to.equal(Object.keys(LIBRARY_OPERATIONS).length + 6);
  });

  for (const [name, { method, path, takes, required, right, wrong, ...arrives }] of Object.entries(
    LIBRARY_OPERATIONS,
  )) {
    it(`${name} takes what its files say, and nothing else`, () => {
      const action = result.action(name);
      expect(action.transport).to.include({ method, path });
      expect(Object.keys(action.parameters["properties"] as JsonObject)).to.have.members(takes);
      expect(action.parameters["required"] ?? []).to.have.members(required);
      const fits = compile(action);
      expect(fits(right), JSON.stringify(fits.errors)).to.equal(true);
      for (const one of wrong) expect(fits(one), JSON.stringify(one)).to.equal(false);
      expect(fits({ ...right, unheard_of: 1 })).to.equal(false);
    });

    it(`${name} is sent as its files say`, async () => {
      const target = targetAt(server.url, { schemes: result.document.auth, credentials: { key: "secret" } });
      await send(transport, result.action(name), right, target);
      const request = server.requests.at(-1);
      expect(request).to.include({ method, path: arrives.target });
      for (const [header, value] of Object.entries({ "X-Key": "secret", ...arrives.headers }))
        expect(request?.header(header)).to.equal(value);
      const boundary = /boundary=(.+)$/.exec(request?.header("content-type") ?? "")?.[1] ?? "no boundary";
      const text = request?.body.toString("latin1").replaceAll(boundary, "B") ?? "";
      if (arrives.json === undefined) expect(text).to.equal(arrives.text ?? "");
      else expect(JSON.parse(text)).to.deep.equal(arrives.json);
    });
  }

  it("counts what stands beside a reference: summaries, descriptions, names", () => {
    expect(result.action("change_loan").description).to.include("One loan");
    const page = (name: string): JsonValue =>
      (result.action(name).parameters["properties"] as JsonObject)["page"] ?? null;
    expect(page("list_books")).to.include({ description: "Which page of the books" });
    expect(page("list_loans")).to.include({ description: "Counted from 1" });
    expect(result.names).not.to.include("replaced");
  });

  it("reads answers where they are kept", () => {
    const { written } = result;
    const actions = (written["resources"] as JsonObject[]).flatMap((one) => one["actions"] as JsonObject[]);
    const byName = Object.fromEntries(actions.map((one) => [one["name"], one]));
    expect(byName["list_books"]?.["returns"]).to.deep.equal(["kind", "title", "loans"]);
    expect(byName["list_loans"]?.["verb"]).to.equal("list");
    expect(byName["list_loans"]?.["returns"]).to.include.members(["book", "borrower"]);
  });

  it("skips what leads nowhere, each with the true reason, and says what else is missing", () => {
    const reasons = Object.fromEntries(result.report.skipped.map(({ operation, reason }) => [operation, reason]));
    expect(reasons).to.have.all.keys(
      ...["GET", "PUT", "POST", "DELETE", "PATCH"].map((one) => `${one} /broken`),
      "/gone",
    );
    expect(reasons["GET /broken"]).to.match(/operations\/nowhere\.yaml: there is no such file$/);
    expect(reasons["PUT /broken"]).to.equal("the reference operations/loans.yml#/no/such points nowhere");
    expect(reasons["POST /broken"]).to.equal("the body components/schemas/Loan.yaml has no content");
    expect(reasons["DELETE /broken"]).to.equal("the reference common/parameters.json#/missing points nowhere");
    expect(reasons["PATCH /broken"]).to.equal("the reference operations/text.yaml leads to no object");
    expect(reasons["/gone"]).to.match(/paths\/gone\.yaml: there is no such file$/);
    expect(result.report.warnings.filter((one) => one.includes("points nowhere"))).to.have.length(1);
    expect(result.report.warnings[0]).to.include("POST /books").and.to.include("common/responses.yaml#/nowhere");
  });
});

describe("agentd sync openapi: addresses and names of schemas", () => {
  const put = (schema: JsonObject, schemas: JsonObject = {}, rest: JsonObject = {}): JsonObject =>
    openapi(
      { "/a": { put: { operationId: "a", requestBody: body(schema) } }, "/b": { get: { operationId: "b" } } },
      { components: { schemas }, ...rest },
    );
  const whole = (schema: JsonObject): JsonObject => ({ type: "object", properties: { v: schema }, required: ["v"] });
  const Named = { $anchor: "named", type: "integer" };

  it("follows $anchor and $id, from the schemas and from outside", async () => {
    const schemas = { Named, Own: { $id: "http://a.test/own", $defs: { in: { $anchor: "in", type: "boolean" } } } };
    for (const [ref, right, wrong] of [
      ["#named", 1, "1"],
      ["http://a.test/own#in", true, 1],
      ["http://a.test/own#/$defs/in", true, 1],
      ["#/components/schemas/Own/$defs/in", true, 1],
    ] as const) {
      const { action, report } = await imported(put(whole({ $ref: ref }), schemas));
      expect(report.skipped).to.deep.equal([]);
      const fits = compile(action("a"));
      expect([fits({ v: right }), fits({ v: wrong })], ref).to.deep.equal([true, false]);
    }
  });

  it("follows $dynamicRef where it can mean one schema, and skips what it could mean several by", async () => {
    const node = {
      $id: "http://a.test/node",
      $dynamicAnchor: "node",
      type: "object",
      properties: { v: { $dynamicRef: "#node" } },
    };
    const one = await imported(
      put(whole({ $ref: "http://a.test/node" }), { Node: { ...node, additionalProperties: false } }),
    );
    const fits = compile(one.action("a"));
    expect([fits({ v: { v: { v: {} } } }), fits({ v: { v: { w: {} } } })]).to.deep.equal([true, false]);
    const strict = { $id: "http://a.test/strict", $dynamicAnchor: "node", $ref: "node", unevaluatedProperties: false };
    const two = await imported(put(whole({ $ref: "http://a.test/strict" }), { Node: node, Strict: strict }));
    expect(two.names).to.deep.equal(["b"]);
    expect(two.report.skipped[0]?.reason).to.include("#node").and.to.include("2 have the dynamic anchor node");
  });

  it("skips what refers to a name that no schema has, and does not know names before 3.1", async () => {
    const missing = await imported(put(whole({ $ref: "#nobody" }), { Named }));
    expect(missing.report.skipped).to.have.length(1);
    expect(missing.report.skipped[0]?.reason).to.include("no schema there has the anchor nobody");
    const old = await imported(put(whole({ $ref: "#named" }), { Named }, { openapi: "3.0.3" }));
    expect(old.report.skipped[0]?.reason).to.include("no schema there has the anchor named");
  });

  it("takes $self for the description's own address, and reads other files beside it all the same", async () => {
    const { action } = await imported(
      put(
        whole({ $ref: "https://api.test/v1/api.json#/components/schemas/Named" }),
        { Named },
        {
          openapi: "3.2.0",
          $self: "https://api.test/v1/api.json",
        },
      ),
    );
    expect(compile(action("a"))({ v: "1" })).to.equal(false);
  });
});
