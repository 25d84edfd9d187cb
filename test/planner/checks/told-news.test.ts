// News and small talk name nouns and states that lists have, too, and are no search.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";

const HARBOUR = createApplication({
  boats: {
    key: "boat_id",
    rows: [
      { id: "B4", name: "Heron", kind: "ketch", status: "afloat", built: 1990 },
      { id: "B5", name: "Plover", kind: "sloop", status: "ashore", built: 2001 },
    ],
    filters: {
      kind: { type: "string", enum: ["ketch", "sloop"] },
      status: { type: "string", enum: ["afloat", "ashore"] },
      seen_from: { type: "string", format: "date" },
      seen_to: { type: "string", format: "date" },
    },
  },
});

describe("What is only told", () => {
  for (const prompt of [
    "my uncles sloop has been at the pub again, second time this month",
    "my uncle's ketch has been ashore this week",
    "our boats have gone to the yard",
    "caulked B4 so its afloat again, built 1990",
    "repaired the sloop and it is afloat again",
  ])
    it(`is no search: "${prompt}"`, async () => {
      const { calls, text } = await askOf(HARBOUR, prompt);
      expect(text).to.match(/^That tells what happened/);
      expect(calls.filter(([, args]) => Object.keys(args).length > 0)).to.deep.equal([]);
    });

  for (const [prompt, text] of [
    ["sloops that have been ashore", /^1 boat/],
    ["have the boats been seen?", /./],
    ["boats afloat", /^1 boat with status = afloat/],
  ] as const)
    it(`and this is none: "${prompt}"`, async () => {
      expect((await askOf(HARBOUR, prompt)).text)
        .to.match(text)
        .and.not.match(/^That tells what happened/);
    });
});
