// What a prompt requests: a command, a question, a negation, a count, a reference.
import { expect } from "chai";
import { readPrompt } from "../../../src/planner/prompt/prompt.js";
import { readRequest } from "../../../src/planner/prompt/request.js";

const request = (text: string): ReturnType<typeof readRequest> =>
  readRequest(readPrompt(text, { date: "2026-11-21", timeZone: "UTC" }));

describe("The request of a prompt", () => {
  it("has only plain commands as commands", () => {
    expect(request("please delete product 7").commands.map(({ term }) => term)).to.deep.equal(["delet"]);
    expect(request("can you cancel order 5").commands.map(({ term }) => term)).to.deep.equal(["cancel"]);
    for (const text of ["show deleted products", "orders of customer 3", "order 5", "which orders are cancelled?"])
      expect(
        request(text).commands.filter(({ intents }) => intents.size > 0),
        text,
      ).to.deep.equal([]);
  });

  it("keeps how-to questions and negations apart from commands", () => {
    for (const text of [
      "how do I delete a product?",
      "what happens if I delete product 2",
      "is it possible to cancel order 5?",
      "should I delete it?",
    ])
      expect(request(text).howTo || request(text).commands.length === 0, text).to.equal(true);
    for (const text of ["don't delete product 7", "never remove todo 1", "show order 5 without changing it"])
      expect(request(text).negated, text).to.equal(true);
  });

  it("recognises a count, a reference and a greeting", () => {
    expect(request("how many customers are there").counts).to.equal(true);
    expect(request("delete it").refers).to.equal(true);
    expect(request("Hello!").help).to.equal(true);
    expect(request("hello world").help).to.equal(false);
  });
});
