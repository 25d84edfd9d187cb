// Answers of the planner about a library: no list passes for a narrower one, and an error is what happened.
import { expect } from "chai";
import type { JsonObject, JsonValue } from "../../../src/lib/json.js";
import { answerOfLibrary, itCalls, LIBRARY, visit } from "../samples/library.js";
import { createSession } from "../session.js";

const FOO = { title: "Foo", author: { name: "Bob" } };

describe("Lists of the offline planner", () => {
  itCalls([
    ["books published after 2000", [["listBooks", { published_after: "2000-12-31" }]]],
    ["books published before 2000", [["listBooks", { published_before: "2000-01-01" }]]],
    ["books published since 2000", [["listBooks", { published_after: "2000-01-01" }]]],
    ["books published in 2000", [["listBooks", { published_after: "2000-01-01", published_before: "2000-12-31" }]]],
    [
      "books published between 1980 and 1990",
      [["listBooks", { published_after: "1980-01-01", published_before: "1990-12-31" }]],
    ],
    ["books published after 2000-05-01T10:00:00Z", [["listBooks", { published_after: "2000-05-01" }]]],
    ["readers since 2000", [["listReaders", { since: "2000-01-01" }]]],
    ["readers in 2000", [["listReaders", {}]]],
    ["list books with max_price=abc", []],
    ["list", []],
    ["top 1 books by price", [["listBooks", {}]]],
  ]);

  const says: [string, string][] = [
    ["list horror books", 'could not narrow this by "horror"'],
    ["books with tag ocean", 'could not narrow this by "tag" or "ocean"'],
    ["show books by Jane Austen", 'could not narrow this by "Jane" or "Austen"'],
    ["readers in 2000", 'could not narrow this by "2000"'],
    ['readers called "Zoe"', 'could not narrow this by "Zoe"'],
    ["list books with max_price=abc", 'max_price is a number, and "abc" is none'],
    ["list books sorted by publisher", "could not put this in order: sorted by publisher"],
    ["top 1 books by price", "1 book:\n\n| price | id |"],
    ["list crime books", "1 book with genre = crime"],
    ["show books by William Gibson", "2 books with author = William Gibson"],
  ];
  for (const [prompt, text] of says)
    it(`"${prompt}": ${text}`, async () => {
      expect((await visit()(prompt)).text).to.contain(text);
    });

  it("have no remark when nothing was left out", async () => {
    for (const prompt of ["list books", "books published after 2000", "list books sorted by price", "books under 9"])
      expect((await visit()(prompt)).text).to.not.match(/could not/);
  });
});

describe("Answers of the offline planner", () => {
  it("name a record that was deleted", async () => {
    const ask = visit();
    await ask("delete book 2");
    const { calls, text } = await ask("show it");
    expect(calls).to.deep.equal([]);
    expect(text).to.equal("That book was deleted, so there is nothing to show.");
  });

  it("ask for the id when a reference is unclear", async () => {
    const ask = visit();
    await ask("list books");
    expect(await ask("show it")).to.deep.equal({
      calls: [],
      text: "I cannot tell which book you mean: say its id or name.",
    });
  });

  const errors: [JsonObject, string][] = [
    [{ error: "refused", message: "read_only is in force." }, "`deleteBook` was refused: read_only is in force."],
    [
      { error: "invalid_arguments", message: "book_id must be integer." },
      "`deleteBook` failed: book_id must be integer.",
    ],
    [{ error: "connection_refused", message: "nothing listens there" }, "`deleteBook` failed: nothing listens there"],
    [{ error: "timeout" }, "`deleteBook` failed: timeout"],
  ];
  for (const [error, text] of errors)
    it(text, async () => {
      const reply = (): JsonValue => error;
      expect((await createSession(LIBRARY, reply)("delete book 2")).text).to.equal(text);
    });

  it("follow a schema that contains itself, without a copy of anything", async () => {
    const { calls } = await createSession(LIBRARY, answerOfLibrary)("add a book titled Foo by Bob with price 5");
    expect(calls).to.deep.equal([["createBook", { ...FOO, price: 5 }]]);
  });
});
