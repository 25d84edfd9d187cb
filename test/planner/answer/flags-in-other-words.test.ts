// What a field says in other words than those of its name, and words of a prompt that leave no record out.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";
import { HIRE_SHOP } from "../samples/hire-shop.js";

const INTEGER = { type: "integer" };
const TRUST = createApplication({
  gardens: {
    key: "garden_id",
    keyType: INTEGER,
    rows: [
      { garden_id: 1, name: "Rosehill", open_to_public: 1, survey_needed: 0, designer_id: 5 },
      { garden_id: 2, name: "Low Meadow", open_to_public: 0, survey_needed: 1, designer_id: null },
    ],
  },
  designers: {
    key: "designer_id",
    keyType: INTEGER,
    rows: [
      { designer_id: 5, name: "Ada Finch", born: 1890, died: 1961 },
      { designer_id: 6, name: "Jon Aker", born: 1970, died: null },
    ],
  },
  seeds: {
    key: "seed_id",
    keyType: INTEGER,
    rows: [
      { seed_id: 8, name: "Kale", place: "collection", weight_g: 4 },
      { seed_id: 9, name: "Leek", place: "shelf", weight_g: 9 },
    ],
  },
});

const BAKERY = createApplication({
  cakes: {
    key: "cake_id",
    keyType: INTEGER,
    rows: [
      {
        cake_id: 1,
        name: "Almond",
        shape: "tart",
        vegan: 1,
        slices: 8,
        stock: 9,
        min_stock: 8,
        price: 8,
        baking_minutes: 40,
        sweetener: "honey",
        baker: "Ida",
      },
      {
        cake_id: 2,
        name: "Berry",
        shape: "tart",
        vegan: 0,
        slices: 6,
        stock: 9,
        min_stock: 4,
        price: 6,
        baking_minutes: 70,
        sweetener: "sugar",
        baker: "Ida",
      },
      {
        cake_id: 3,
        name: "Cocoa",
        shape: "roll",
        vegan: 1,
        slices: 10,
        stock: 9,
        min_stock: 12,
        price: 20,
        baking_minutes: 55,
        sweetener: "sugar",
        baker: "Omar",
      },
    ],
    filters: {
      shape: { type: "string", enum: ["tart", "roll"] },
      sweetener: { type: "string", enum: ["honey", "sugar"] },
    },
  },
});

const KIOSKS = createApplication({
  kiosks: {
    key: "kiosk_id",
    keyType: INTEGER,
    rows: [
      { kiosk_id: 1, name: "Poplar", opens_at: "07:00", nightService: true, cardPayment: false },
      { kiosk_id: 2, name: "Quay", opens_at: "09:00", nightService: false, cardPayment: true },
    ],
  },
});

describe("a list narrowed by fields in other words", () => {
  const found = [
    [TRUST, "gardens closed to the public", "1 garden with open_to_public = no", "Low Meadow"],
    [TRUST, "gardens that are open to the public", "1 garden with open_to_public = yes", "Rosehill"],
    [TRUST, "which gardens say a survey is needed?", "1 garden with survey_needed = yes", "Low Meadow"],
    [TRUST, "gardens with no known designer", "1 garden with no designer_id", "Low Meadow"],
    [TRUST, "gardens whose designer is unknown", "1 garden with no designer_id", "Low Meadow"],
    [TRUST, "which designers are still alive?", "1 designer with no died", "Jon Aker"],
    [TRUST, "designers that are dead", "1 designer with died present", "Ada Finch"],
    [KIOSKS, "kiosks open at night", "1 kiosk with nightService = yes", "Poplar"],
    [KIOSKS, "which kiosks are shut at night?", "1 kiosk with nightService = no", "Quay"],
    [KIOSKS, "kiosks that aren't open at night", "1 kiosk with nightService = no", "Quay"],
    [BAKERY, "vegan tarts", "1 cake with vegan = yes and shape = tart", "Almond"],
    [BAKERY, "tarts that are not vegan", "1 cake with vegan = no and shape = tart", "Berry"],
    [BAKERY, "cakes that take longer than 60 minutes", "1 cake with baking_minutes > 60", "Berry"],
    [BAKERY, "cakes below their min stock", "1 cake with stock < min_stock", "Cocoa"],
    [BAKERY, "cheapest tart type", "1 cake with shape = tart and cheapest by price first", "Berry"],
    [BAKERY, "how many cakes were baked by ida", "2 cakes with baker = ida.", ""],
    [BAKERY, "avg price of vegan cakes", "The average price is 14, of 2 cakes with vegan = yes.", ""],
    [BAKERY, "which cakes with honey do we bake", "1 cake with sweetener = honey", "Almond"],
    [BAKERY, "which cakes use honey", "1 cake with sweetener = honey", "Almond"],
    [HIRE_SHOP, "makers that are closed", "1 maker with closed present", "Holmgren"],
    [HIRE_SHOP, "makers that are still open", "1 maker with no closed", "Pasquale"],
    [HIRE_SHOP, "which machines say repair is needed right now?", "2 machines with repair_needed = yes", "Twister"],
    [HIRE_SHOP, "heaviest machine in our collection", "1 machine with heaviest by weight_kg first", "Twister"],
  ] as const;
  for (const [application, prompt, heading, name] of found)
    it(`answers "${prompt}"`, async () => {
      const { text } = await askOf(application, prompt);
      expect(text.split("\n")[0]).to.equal(heading.endsWith(".") ? heading : `${heading}:`);
      expect(text).to.contain(name);
    });

  const open = [
    [KIOSKS, "kiosks for the night", "night"],
    [KIOSKS, "kiosks open by card", "card"],
    [BAKERY, "cakes that lack honey", "lack"],
    [HIRE_SHOP, "which clients are still alive?", "alive"],
    [HIRE_SHOP, "clients closed to the public", "closed"],
    [HIRE_SHOP, "heaviest machine in the shed", "shed"],
    [TRUST, "heaviest seed in the collection", "collection"],
    [TRUST, "gardens with no known keeper", "no known keeper"],
  ] as const;
  for (const [application, prompt, word] of open)
    it(`says of "${prompt}" that it does not know "${word}"`, async () => {
      const { text } = await askOf(application, prompt);
      if (text.startsWith("I could not")) expect(text).to.contain(`"${word}"`);
      else expect(text).to.match(new RegExp(`= ${word}\\b`));
    });
});
