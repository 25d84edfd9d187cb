// A record that has nothing of what a prompt asks for is no answer to it: the planner says which one it read, and shows it when it is
// asked to.
import { expect } from "chai";
import { createApplication } from "../samples/collections.js";
import { createSession } from "../session.js";

const S = { type: "string" };
const { tools, reply } = createApplication({
  ferries: {
    key: "ferry_id",
    keyType: { type: "integer" },
    rows: [
      { ferry_id: 3, name: "Svanhild", seats: 240, home_port: "Ystad", captain: "Ulf Ek" },
      { ferry_id: 4, name: "Odin", seats: 90, home_port: "Trelleborg", captain: "Eva Lund" },
    ],
    fields: { name: S, home_port: S },
    required: ["name"],
  },
});
const visit = () => createSession(tools, reply);

describe("The offline planner shows no record in place of an answer", () => {
  for (const [prompt, said] of [
    ["when does ferry 3 arrive", "arrive"],
    ["wingspan of ferry 3", "wingspan"],
    ["show ferry 3 passengers", "passengers"],
  ] as const)
    it(`for "${prompt}"`, async () => {
      const { text } = await visit()(prompt);
      expect(text).to.contain(`"${said}"`).and.not.contain("**seats**");
    });

  it("and says which record it read, and what that has", async () => {
    expect((await visit()("show ferry 3 passengers")).text).to.equal(
      'I found nothing about "passengers" in this ferry, "Svanhild". It has ferry_id, name, seats, home_port and captain. Say "yes" to see it.',
    );
  });

  it("until it is asked to", async () => {
    for (const asked of ["yes", "show it", "yes, show it please"]) {
      const ask = visit();
      await ask("show ferry 3 passengers");
      expect((await ask(asked)).text).to.contain("- **ferry_id**: 3");
    }
  });

  for (const prompt of [
    "show ferry 3 again please",
    "ferry 3",
    "seats of ferry 3",
    "home port of ferry 3",
    "who is the captain of ferry 3?",
    "show ferry 3 for my boss",
    "how many seats does ferry 3 have",
  ])
    it(`but shows it for "${prompt}"`, async () => {
      expect((await visit()(prompt)).text).to.contain("- **ferry_id**: 3");
    });
});
