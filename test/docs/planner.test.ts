// Every prompt of docs/planner.md is made, to the sample applications, and is answered as the page says.
import { expect } from "chai";
import { read, tables } from "../support/docs.js";
import { type Served, serve, stopAll } from "../support/spawn.js";

interface Answer {
  result: string;
  session_id: string;
  events: { kind: string; name?: string; arguments?: unknown }[];
}

const PAGE = read("docs/planner.md");
/** The text of a cell that is code: in one backtick, or in two where it has some itself. */
const code = (cell = ""): string => cell.replace(/^(`+) ?([\s\S]*?) ?\1$/, "$2");

const ROWS = tables(PAGE).flatMap(({ heading, header, rows }) =>
  rows.map((cells) => ({ heading, isChange: header.at(-1)?.startsWith("the call") === true, cells: cells.map(code) })),
);

describe("docs/planner.md", () => {
  let daemon: Served;

  before(async () => {
    daemon = await serve(["--demo", "--provider", "offline"]);
  });

  after(stopAll);

  const ask = async (message: string, session_id?: string): Promise<Answer> => {
    const answer = await fetch(`${daemon.url}/run`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ message, session_id }),
    });
    return (await answer.json()) as Answer;
  };

  it("has prompts of every kind", () => {
    expect(new Set(ROWS.map(({ heading }) => heading)).size).to.equal(6);
    expect(ROWS).to.have.length.above(40);
  });

  for (const { heading, isChange, cells } of ROWS) {
    const prompts = cells.slice(0, -1);
    const wanted = cells.at(-1) ?? "";
    it(`${heading}: "${prompts.join('", then "')}"`, async () => {
      let answer: Answer | undefined;
      for (const prompt of prompts) answer = await ask(prompt, answer?.session_id);
      const last = answer?.events.findLast(({ kind }) => kind === "tool_call");
      if (isChange) expect(`${last?.name ?? ""} ${JSON.stringify(last?.arguments)}`).to.equal(wanted);
      expect(answer?.result).to.match(isChange ? /^This call needs a person's yes/ : /./);
      if (!isChange) expect(answer?.result.slice(0, wanted.length)).to.equal(wanted);
    });
  }
});
