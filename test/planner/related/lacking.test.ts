// Records that have none of another: where nothing in them says it, those whose keys stand in the other list are left out.
import { expect } from "chai";
import { createApplication } from "../samples/collections.js";
import { createSession, idsIn } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };

const ORCHARD = {
  patrons: {
    key: "patron_id",
    keyType: I,
    rows: [
      { id: 1, name: "Holm family" },
      { id: 2, name: "Ada Berg" },
      { id: 3, name: "Brook Bank" },
    ],
    fields: { name: S },
    required: ["name"],
  },
  trees: {
    key: "tree_id",
    keyType: I,
    rows: [
      { id: 11, name: "Old Tom", row: "north", age: 70 },
      { id: 12, name: "Lady", row: "south", age: 30 },
      { id: 13, name: "Squire", row: "north", age: 12 },
      { id: 14, name: "Duchess", row: "south", age: 44 },
    ],
    fields: { name: S, row: S, age: I },
    required: ["name"],
  },
  patronships: {
    key: "patronship_id",
    keyType: I,
    rows: [
      { id: 31, tree_id: 11, patron_id: 1 },
      { id: 32, tree_id: 12, patron_id: 2 },
    ],
    fields: { tree_id: I, patron_id: I },
    required: ["tree_id", "patron_id"],
  },
  prunings: {
    key: "pruning_id",
    keyType: I,
    rows: [
      { id: 41, tree_id: 13, status: "planned" },
      { id: 42, tree_id: 11, status: "done" },
    ],
    fields: { tree_id: I, status: S },
    required: ["tree_id"],
  },
};
const orchard = createApplication(ORCHARD);
/** A page has two of the patronships, and there are more. */
const paged = createApplication({
  ...ORCHARD,
  patronships: { ...ORCHARD.patronships, filters: { limit: { type: "integer", default: 2 } } },
});

const asking = (application = orchard) => createSession(application.tools, application.reply);

describe("The offline planner finds what has none of another list", () => {
  for (const [prompt, ids] of [
    ["which trees have no patron", [13, 14]],
    ["trees without a patron", [13, 14]],
    ["north trees with no patron", [13]],
    ["patrons without trees", [3]],
    ["patrons with no patronship", [3]],
    ["which trees have no prunings", [12, 14]],
    ["list the oldest tree without a patron", [14]],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { text } = await asking()(prompt);
      expect(idsIn(text), text).to.have.members([...ids]);
    });

  it("and counts it", async () => {
    expect((await asking()("how many trees have no patron")).text).to.equal(
      "Left out are those with any patronships.\n\n2 trees.",
    );
  });

  it("and says that a state does not count", async () => {
    expect((await asking()("trees without prunings")).text).to.match(
      /^Left out are those with any prunings, whatever their status\./,
    );
  });

  it("and goes on with it", async () => {
    const ask = asking();
    await ask("which trees have no patron");
    expect(idsIn((await ask("the second one")).text)).to.deep.equal([14]);
  });

  for (const prompt of [
    "trees with no patron in the attic",
    "trees with no patron since 2024",
    "trees without water",
    "trees with no patron and no pruning",
    "purple trees without a patron",
  ])
    it(`but keeps back what has a further condition: "${prompt}"`, async () => {
      expect((await asking()(prompt)).text).to.not.match(/Old Tom|Lady|Squire|Duchess/);
    });

  it("and says that it cannot tell where it was not shown all", async () => {
    const { text } = await asking(paged)("which trees have no patron");
    expect(text).to.equal(
      "I was shown only 2 patronships, and there may be more, so I cannot tell which trees have none.",
    );
  });

  it("and deletes nothing", async () => {
    const { calls } = await asking()("delete the trees without a patron");
    expect(calls.filter(([name]) => !/^(?:list|get)_/.test(name))).to.deep.equal([]);
  });
});
