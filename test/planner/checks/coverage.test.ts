// The planner against a library: a change leaves out nothing of its prompt.
import { expect } from "chai";
import { itCalls, visit } from "../samples/library.js";

const FOO = { title: "Foo", author: { name: "Bob" } };

describe("A change by the offline planner holds all that its prompt gives", () => {
  itCalls([
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
    ["archive reader 4 with note gone away", [["archiveReader", { reader_id: 4, note: "gone away" }]]],
  ]);
});

describe("The offline planner changes nothing when a part of the prompt fits no parameter", () => {
  const cases: [string, string][] = [
    ["add a book titled Foo with genre horror and author name Bob", '"horror" is no genre'],
    ["set the genre of book 2 to horror", "one of scifi, crime, poetry"],
    ["update book 2 with price cheap", 'price is a number, and "cheap" is none'],
    ["set the price of book 2 to cheap", 'price is a number, and "cheap" is none'],
    ["update book 101", "What should change?"],
    ["upload a cover file /etc/passwd", '"/etc/passwd"'],
    ["upload a file", "none to send"],
    ["delete book 2 tomorrow", '"tomorrow"'],
    ["add book Dune by Frank Herbert for Carla", '"Carla"'],
    ["add book Dune by Frank Herbert, Oslo", '"Oslo"'],
    ["raise the price of book 2 by 5 euros", "Say what it is to be"],
    ["add a book titled Foo by Bob with colour red", '"with colour red"'],
    ["delete all books", "one book at a time"],
    ["add a book called X", "Which author.name?"],
  ];
  for (const [prompt, text] of cases)
    it(`"${prompt}" is answered with ${text}`, async () => {
      const turn = await visit()(prompt);
      expect(turn.calls).to.deep.equal([]);
      expect(turn.text).to.contain(text);
    });

  it("and goes on with a valid value", async () => {
    const ask = visit();
    await ask("add a book titled Foo with genre horror and author name Bob");
    expect((await ask("poetry")).calls).to.deep.equal([["createBook", { ...FOO, genre: "poetry" }]]);
  });
});

describe("The offline planner changes nothing when a part of the prompt narrows the change", () => {
  const cases: [string, string][] = [
    ["delete book 2 in branch west", '"in branch west"'],
    ["delete book 2 of carla", '"of carla"'],
    ["archive reader 4 by mail", '"by mail"'],
    ["archive reader 4 temporarily", '"temporarily"'],
    ["archive reader 4 only for members", '"only for members"'],
    ["set the price of book 2 to 5 on weekends", '"on weekends"'],
    ["set the price of book 2 to 5 for next season", '"season"'],
    ["add a book titled Foo by Bob, signed", '"signed"'],
  ];
  for (const [prompt, text] of cases)
    it(`"${prompt}" is answered with ${text}`, async () => {
      const turn = await visit()(prompt);
      expect(turn.calls).to.deep.equal([]);
      expect(turn.text).to.contain(text);
    });

  itCalls([
    ["please delete book 2 now", [["deleteBook", { book_id: 2 }]]],
    ["delete book 2 for me", [["deleteBook", { book_id: 2 }]]],
    ["delete the existing book number 2 permanently", [["deleteBook", { book_id: 2 }]]],
  ]);
});
