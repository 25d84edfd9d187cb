// The planner against a library: nothing that was said is left out of a change, and no list passes for a narrower one.
import { expect } from "chai";
import type { JsonObject, JsonValue } from "../../src/lib/json.js";
import { answerOfLibrary, LIBRARY, visit } from "./library.js";
import { createSession } from "./session.js";

type Calls = [string, JsonObject][];

function calling(cases: readonly [string, Calls][]): void {
  for (const [prompt, calls] of cases)
    it(`"${prompt}"`, async () => {
      expect((await visit()(prompt)).calls).to.deep.equal(calls);
    });
}

const FOO = { title: "Foo", author: { name: "Bob" } };

describe("the offline planner makes a change as it was said", () => {
  calling([
    ["add a book titled Foo with genre crime and author name Bob", [["createBook", { ...FOO, genre: "crime" }]]],
    ["add a book called Foo by Bob", [["createBook", FOO]]],
    ["add a book titled Foo by Bob with parent title Bar", [["createBook", { ...FOO, parent: { title: "Bar" } }]]],
    ["add a book titled Foo by Bob with parent genre crime", [["createBook", { ...FOO, parent: { genre: "crime" } }]]],
    [
      "create a book titled Foo by Bob with tags cyberpunk and satire",
      [["createBook", { ...FOO, tags: ["cyberpunk", "satire"] }]],
    ],
    [
      "create a book titled Foo by Bob, tags: sci-fi, b and c",
      [["createBook", { ...FOO, tags: ["sci-fi", "b", "c"] }]],
    ],
    [
      "create a book titled Foo by Bob with tags x and y and price 5",
      [["createBook", { ...FOO, tags: ["x", "y"], price: 5 }]],
    ],
    ["rename book 2 to Poetry in Motion", [["updateBook", { book_id: 2, title: "Poetry in Motion" }]]],
    ["update book 2 with author name Ann", [["updateBook", { book_id: 2, author: { name: "Ann" } }]]],
    ["lend book 2 to reader Carla", [["lendBook", { book_id: 2, reader: "Carla" }]]],
    ["lend book 2 to Carla until 2026-12-24", [["lendBook", { book_id: 2, reader: "Carla", due: "2026-12-24" }]]],
    [
      "lend book_id 2 to reader Carla due 2026-12-24",
      [["lendBook", { book_id: 2, reader: "Carla", due: "2026-12-24" }]],
    ],
    ["archive reader 4", [["archiveReader", { reader_id: 4 }]]],
  ]);
});

describe("the offline planner changes nothing when something has no place", () => {
  const cases: [string, string][] = [
    ["add a book titled Foo with genre horror and author name Bob", '"horror" is no genre'],
    ["set the genre of book 2 to horror", "one of scifi, crime, poetry"],
    ["update book 2 with price cheap", 'price is a number, and "cheap" is none'],
    ["set the price of book 2 to cheap", 'price is a number, and "cheap" is none'],
    ["update book 101", "What should change?"],
    ["upload a cover file /etc/passwd", '"/etc/passwd"'],
    ["upload a file", "none to send"],
    ["archive reader 4 with note gone away", "Which note?"],
    ["delete book 2 tomorrow", '"tomorrow"'],
    ["add book Dune by Frank Herbert for Carla", '"Carla"'],
    ["add book Dune by Frank Herbert, Oslo", '"Oslo"'],
    ["raise the price of book 2 by 5 euros", "Say what it is to be"],
    ["add a book titled Foo by Bob with colour red", '"colour" and "red"'],
    ["delete all books", "one book at a time"],
    ["add a book called X", "Which author.name?"],
  ];
  for (const [prompt, text] of cases)
    it(`"${prompt}" is answered with ${text}`, async () => {
      const turn = await visit()(prompt);
      expect(turn.calls).to.deep.equal([]);
      expect(turn.text).to.contain(text);
    });

  it("and goes on with the value that fits", async () => {
    const say = visit();
    await say("add a book titled Foo with genre horror and author name Bob");
    expect((await say("poetry")).calls).to.deep.equal([["createBook", { ...FOO, genre: "poetry" }]]);
  });
});

describe("the offline planner's filters", () => {
  calling([
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

  it("say nothing where nothing was left out", async () => {
    for (const prompt of ["list books", "books published after 2000", "list books sorted by price", "books under 9"])
      expect((await visit()(prompt)).text).to.not.match(/could not/);
  });
});

describe("the offline planner says what happened", () => {
  it("to what is gone", async () => {
    const say = visit();
    await say("delete book 2");
    const { calls, text } = await say("show it");
    expect(calls).to.deep.equal([]);
    expect(text).to.equal("That book was deleted, so there is nothing to show.");
  });

  it("when it cannot know which is meant", async () => {
    const say = visit();
    await say("list books");
    expect(await say("show it")).to.deep.equal({
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

  it("with a schema that holds itself, without a copy of anything", async () => {
    const { calls } = await createSession(LIBRARY, answerOfLibrary)("add a book titled Foo by Bob with price 5");
    expect(calls).to.deep.equal([["createBook", { ...FOO, price: 5 }]]);
  });
});
