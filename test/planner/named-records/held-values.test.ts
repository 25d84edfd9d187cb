// A name that stands in a record just read, in whatever field, is never said to stand nowhere. Where it is the only one, and what is asked
// of it can be placed, the record is the answer. What would be if something were done makes no request.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";

const S = { type: "string" };
const I = { type: "integer" };
const STATION = createApplication({
  presenters: {
    key: "presenter_id",
    keyType: I,
    rows: [
      { presenter_id: 1, name: "Iris Vang", nickname: "Magpie", contact: { phone: "22 31", agent: "Rolf Beck" } },
      { presenter_id: 2, name: "Tomas Ruud", nickname: "Walrus", contact: { phone: "22 32", agent: "Mia Sand" } },
    ],
    fields: { name: S, nickname: S },
    required: ["name"],
  },
  studios: {
    key: "studio_code",
    rows: [
      { code: "NL", name: "North Loft", engineer: "Ada Quist", surcharge: 15 },
      { code: "RC", name: "Red Cellar", engineer: "Petra Holt", surcharge: 2 },
    ],
  },
});
/** Nothing gets a single studio: the studios have no key. */
const RADIO = { ...STATION, tools: STATION.tools.filter(({ name }) => name !== "get_studio") };

describe("The offline planner, of a text that stands in a record it has read,", () => {
  for (const [prompt, expected] of [
    ["what's the surcharge for Red Cellar", "**surcharge**: 2"],
    ["Who engineers for North Loft?", "**engineer**: Ada Quist"],
    ["Red Cellar", "**code**: RC"],
    ["who has the nickname Walrus", "**name**: Tomas Ruud"],
    ["whose agent is Rolf Beck?", "**name**: Iris Vang"],
  ] as const)
    it(`answers "${prompt}"`, async () => {
      expect((await askOf(RADIO, prompt)).text).to.contain(expected);
    });

  for (const [prompt, said] of [
    ["what is the phone of Rolf Beck", '"Rolf Beck" is the contact.agent of presenter 1'],
    ["Petra called, she'll be half an hour late", '"Petra" stands in the engineer of studio RC'],
    ["What's in the Red Cellar?", '"Red Cellar" is the name of studio RC'],
  ] as const)
    it(`says of "${prompt}" where it stands`, async () => {
      expect((await askOf(RADIO, prompt)).text)
        .to.match(/I did not understand what is wanted of it/)
        .and.contain(said);
    });

  it("and shows no record for what is in it, whether it has a key or not", async () => {
    for (const application of [STATION, RADIO])
      expect((await askOf(application, "What's in the Red Cellar?")).text).to.not.contain("**surcharge**");
  });

  it("and says that nothing is called so where it stands nowhere", async () => {
    expect((await askOf(RADIO, "who is Niels Bohr")).text).to.match(/^I found nothing called "Niels Bohr"/);
  });

  for (const prompt of [
    "If we deleted Iris Vang, would the shows go too?",
    "what if we renamed presenter 1",
    "would anything break if we deleted presenter 2?",
    "suppose we deleted presenter 2",
    "how much sleep should a 30 year old get?",
  ])
    it(`makes no request for "${prompt}"`, async () => {
      expect((await askOf(RADIO, prompt)).calls).to.deep.equal([]);
    });

  it("but reads where a condition only says when", async () => {
    expect((await askOf(RADIO, "if there are any presenters, list them")).calls).to.deep.equal([
      ["list_presenters", {}],
    ]);
  });
});
