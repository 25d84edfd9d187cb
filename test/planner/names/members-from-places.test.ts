// "Is there any member from Kendal" asks for a place, and for nobody of that name.

import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";

const club = createApplication({
  members: {
    key: "id",
    keyType: { type: "integer" },
    rows: [
      { id: 1, name: "Ines Brandt", town: "Kendal" },
      { id: 2, name: "Tom Weld", town: "Penrith" },
    ],
  },
  boats: { key: "id", keyType: { type: "integer" }, rows: [{ id: 1, name: "Swift" }] },
});

describe("The offline planner reads a place", () => {
  for (const [prompt, expected] of [
    ["Is there any member from Kendal?", /^1 member with town = Kendal/],
    ["Is there any member from Garstang?", /^No members with town = Garstang/],
    ["is there a member called Garstang?", /^I found no member called "Garstang"/],
    ["Is there any boat from Garstang?", /could not narrow this by "Garstang"|found nothing called "Garstang"/],
  ] as const)
    it(`of "${prompt}"`, async () => {
      expect((await askOf(club, prompt)).text).to.match(expected);
    });
});
