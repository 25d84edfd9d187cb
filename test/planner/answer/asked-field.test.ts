// Where a prompt asks for a field of a record, that field is said before the record.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";

const S = { type: "string" };
const I = { type: "integer" };
const LIBRARY = createApplication({
  readers: {
    key: "reader_id",
    keyType: I,
    rows: [
      { id: 4, name: "Ida Moss", phone_number: "555 04", email: "ida@l.example", note: null, created_at: "2024-01-02" },
      {
        id: 5,
        name: "Max Email",
        phone_number: "555 05",
        email: "max@l.example",
        note: "tall",
        created_at: "2024-01-03",
      },
    ],
    fields: { name: S, phone_number: S, email: S, note: S },
    required: ["name"],
  },
  talks: {
    key: "talk_id",
    keyType: I,
    rows: [
      {
        id: 9,
        title: "Old Maps",
        speaker: "Ben Roy",
        price_eur: 6,
        starts_at: "2026-12-01T18:00",
        created_at: "2026-01-01",
      },
    ],
    fields: { title: S, speaker: S, price_eur: I, starts_at: { type: "string", format: "date-time" } },
    required: ["title"],
  },
});

describe("The offline planner says first what a prompt asks for of a record:", () => {
  for (const [prompt, lead] of [
    ["what's the email of reader 4", "email: ida@l.example\n\n- **id**: 4"],
    ["phone of reader 4", "phone_number: 555 04\n\n- **id**: 4"],
    ["ida moss's phone number", "phone_number: 555 04\n\n- **id**: 4"],
    ["phone and email of reader 4", "phone_number: 555 04\nemail: ida@l.example\n\n"],
    ["what is the note of reader 4", "note: (empty)\n\n- **id**: 4"],
    ["when is talk 9", "starts_at: 2026-12-01T18:00\n\n- **id**: 9"],
    ["how much is talk 9", "price_eur: 6\n\n- **id**: 9"],
    ["who is the speaker of talk 9", "speaker: Ben Roy\n\n- **id**: 9"],
    // Nothing in particular is asked for, and a word of the name is no field.
    ["show reader 4", "- **id**: 4"],
    ["reader with id 4", "- **id**: 4"],
    ["show the reader Max Email", "- **id**: 5"],
  ] as const)
    it(`"${prompt}"`, async () => {
      expect((await askOf(LIBRARY, prompt)).text.slice(0, lead.length)).to.equal(lead);
    });
});
