// What is over, or not yet, where a verb says it by itself: the day of the field that is called so tells it.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";
import { idsIn } from "../session.js";

const I = { type: "integer" };

const PERMITS = createApplication({
  permits: {
    key: "permit_id",
    keyType: I,
    rows: [
      { id: 1, holder: "Ada", starts_on: "2026-01-01", expires_on: "2026-10-31", status: "used" },
      { id: 2, holder: "Bo", starts_on: "2026-12-01", expires_on: "2027-11-30", status: "open" },
      { id: 3, holder: "Cy", starts_on: "2026-06-01", expires_on: null, status: "open" },
    ],
  },
  talks: {
    key: "talk_id",
    keyType: I,
    rows: [{ id: 5, topic: "Moss", attended_by: 12 }],
  },
});

describe("The offline planner takes a verb that stands alone for the day of its field", () => {
  for (const [prompt, ids] of [
    ["permits that expired", [1]],
    ["permits that have already expired", [1]],
    ["which permits have expired before 2026-11-01", [1]],
    ["permits that haven't expired yet", [2, 3]],
    ["permits that havent expired", [2, 3]],
    ["permits which started", [1, 3]],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { text } = await askOf(PERMITS, prompt);
      expect(idsIn(text), text).to.have.members([...ids]);
    });

  it("and for no field of anything else", async () => {
    expect(idsIn((await askOf(PERMITS, "talks that attended")).text)).to.deep.equal([]);
    expect(idsIn((await askOf(PERMITS, "permits that vanished")).text)).to.deep.equal([]);
  });
});
