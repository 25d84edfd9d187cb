// Prompts that are made to keep the planner busy: it reads so much of each, and blocks every other request while it does.
import { expect } from "chai";
import { MAX_CHARACTERS } from "../../src/planner/prompt/prompt.js";
import { askOf, createApplication } from "./samples/collections.js";
import { createSession, TOOLS } from "./samples/shop.js";
import { tool } from "./session.js";

const settings = { type: "object", additionalProperties: { type: "string" } };
const tools = [...TOOLS, tool("set_options", "update", "PATCH /shop", { settings, open: { type: "boolean" } })];

/** A prompt as long as is read of it, `part` repeated between its beginning and its end. */
function prompt(beginning: string, part: string, end = ""): string {
  const count = (MAX_CHARACTERS - beginning.length - end.length) / part.length;
  return beginning + part.repeat(count) + end;
}

/** What an expression may divide between two of its repetitions. */
const PARTS = [
  " ",
  "\n",
  ". ",
  "!",
  "?",
  ",",
  ", ",
  "-",
  "'",
  '"',
  "“",
  "1 ",
  "1,",
  "a ",
  "A ",
  "a-",
  "=",
  "{",
  "@",
  "and ",
];

/** One for each kind of expression that was once kept busy for seconds. */
const KNOWN: readonly string[] = [
  `a ${"of x must be ".repeat(40)}${"!".repeat(2500)}\nq`,
  prompt("update the shop settings", " ", "x b=c"),
  prompt("update the shop open of ", " ", "x"),
  prompt("update note 4 done of ", " ", "x"),
  prompt("the cheapest", " ", "one ?"),
  `update note 4 title a${",".repeat(40)}b text: c`,
];

const MORE: readonly string[] = [
  ...PARTS.flatMap((part) => [
    prompt("a", part, "q"),
    prompt("list products ", part, "\nq"),
    prompt("set the text of note 4 to ", part, "q"),
    prompt("update the shop settings", part, "x b=c"),
    prompt("the cheapest", part, "one ?"),
  ]),
  ...["of x must be ", "a is now ", "by the ", "that are ", "between 1 and ", "tagged ", "a=b ", "Ada's "].map((part) =>
    prompt("", part, "!\nq"),
  ),
];

/** A hundred names, and as many records in each of five lists. */
const CREW = createApplication(
  Object.fromEntries(
    ["members", "boats", "lessons", "berths", "repairs"].map((name) => {
      const rows = Array.from({ length: 100 }, (_, at) => ({ id: at + 1, name: `${name} Holm${at}` }));
      const collection = { key: "id", keyType: { type: "integer" }, rows, fields: { name: { type: "string" } } };
      return [name, { ...collection, required: ["name"] }];
    }),
  ),
);
const MANY_NAMES = `show ${Array.from({ length: 100 }, (_, at) => `Ada${at} Holm`).join(", ")}`;

/** Many times what the slowest takes, 400 ms; what is looked for takes seconds. */
const MAX_CPU_MS = 2500;

describe("The offline planner", function () {
  this.timeout(120_000);

  const isSoonDone = async (prompts: readonly string[]): Promise<void> => {
    for (const one of prompts) {
      expect(one.length).to.be.at.most(MAX_CHARACTERS);
      const ask = createSession(tools);
      await ask("list products");
      const before = process.cpuUsage();
      await ask(one);
      const { user, system } = process.cpuUsage(before);
      const what = `${one.slice(0, 60)} … ${one.slice(-10)}`;
      expect((user + system) / 1000, what).to.be.below(MAX_CPU_MS);
    }
  };

  it("is soon done with prompts that are made to keep it busy", () => isSoonDone(KNOWN));
  it("is soon done with whatever is repeated @all", () => isSoonDone(MORE));

  it("reads a prompt of many names once, not for each name and record", async () => {
    const before = process.cpuUsage();
    await askOf(CREW, MANY_NAMES);
    const { user, system } = process.cpuUsage(before);
    // Read for each of them, it took three times as much.
    expect((user + system) / 1000).to.be.below(2 * MAX_CPU_MS);
  });
});
