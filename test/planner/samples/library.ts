// A small library for the planner's tests: books with an author each, a genre of a few, tags, and books that belong to others
// (a description that refers to itself). Nothing is kept, so that prompts do not depend on each other.

import { expect } from "chai";
import type { Tool } from "../../../src/domain/tool.js";
import type { JsonObject, JsonValue } from "../../../src/lib/json.js";
import { createSession, type Turn, tool } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };
const DATE = { type: "string", format: "date" };
const AUTHOR = { type: "object", properties: { name: S, born: I }, required: ["name"] };
const GENRE = { type: "string", enum: ["scifi", "crime", "poetry"] };
const TAGS = { type: "array", items: S };
const NEW_BOOK = { title: S, author: AUTHOR, genre: GENRE, tags: TAGS, price: { type: "number" }, published: DATE };
const PARENT = {
  type: "object",
  properties: { ...NEW_BOOK, parent: { $ref: "#/$defs/NewBook" } },
  required: ["title"],
};
const KEY = { book_id: I };
const FILTER = { max_price: { type: "number" }, published_after: DATE, published_before: DATE, limit: I };

function withDefinitions(made: Tool): Tool {
  return { ...made, input_schema: { ...made.input_schema, $defs: { NewBook: PARENT } } };
}

const NEW = { ...NEW_BOOK, parent: { $ref: "#/$defs/NewBook" } };

export const LIBRARY: readonly Tool[] = [
  tool("listBooks", "list", "GET /books", FILTER),
  tool("getBook", "get", "GET /books/{book_id}", KEY, ["book_id"]),
  withDefinitions(tool("createBook", "create", "POST /books", NEW, ["title", "author"])),
  tool("updateBook", "update", "PATCH /books/{book_id}", { ...KEY, ...NEW_BOOK }, ["book_id"]),
  tool("deleteBook", "delete", "DELETE /books/{book_id}", KEY, ["book_id"]),
  tool("lendBook", "action", "POST /books/{book_id}/loans", { ...KEY, reader: S, due: DATE }, ["book_id", "reader"]),
  tool("uploadFile", "create", "POST /upload", { file: { ...S, format: "binary" }, label: S }),
  tool("listReaders", "list", "GET /readers", { since: DATE }),
  tool("getReader", "get", "GET /readers/{reader_id}", { reader_id: I }, ["reader_id"]),
  tool("archiveReader", "action", "POST /readers/{reader_id}/archive", { reader_id: I, note: S }, ["reader_id"]),
];

const BOOKS: readonly JsonObject[] = [
  {
    id: 1,
    title: "Neuromancer",
    author: { name: "William Gibson" },
    genre: "scifi",
    price: 9,
    published: "1984-07-01",
  },
  {
    id: 2,
    title: "The Big Sleep",
    author: { name: "Raymond Chandler" },
    genre: "crime",
    price: 7,
    published: "1939-02-06",
  },
  {
    id: 101,
    title: "Count Zero",
    author: { name: "William Gibson" },
    genre: "scifi",
    price: 8,
    published: "1986-03-01",
  },
];

/** What the library answers. */
export function answerOfLibrary(called: Tool, args: JsonObject): JsonValue {
  if (called.verb === "list") return called.resource === "books" ? [...BOOKS] : [{ id: 4, name: "Carla" }];
  if (called.verb === "delete") return { status: 204 };
  const row = BOOKS.find(({ id }) => id === args["book_id"]);
  return called.verb === "get"
    ? (row ?? { error: "http_404", message: "not found", status: 404 })
    : { ...row, ...args };
}

/** A conversation about the library. */
export const visit = (): ((prompt: string) => Promise<Turn>) => createSession(LIBRARY, answerOfLibrary);

/** A case for each prompt: in a new conversation with the library it makes exactly these calls. */
export function itCalls(cases: readonly [prompt: string, calls: Turn["calls"]][]): void {
  for (const [prompt, calls] of cases)
    it(`"${prompt}"`, async () => {
      expect((await visit()(prompt)).calls).to.deep.equal(calls);
    });
}
