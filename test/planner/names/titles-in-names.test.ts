// Names with a title in front, behind "named", and names with an article in front, behind "to".
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { askOf, createApplication, lastCall } from "../samples/collections.js";

const S = { type: "string" };
const I = { type: "integer" };

const CLINIC = createApplication({
  vets: { key: "vet_id", keyType: I, rows: [], fields: { name: S, speciality: S }, required: ["name"] },
});
const SCHOOL = createApplication({
  teachers: { key: "teacher_id", keyType: I, rows: [], fields: { name: S, subject: S }, required: ["name"] },
  trips: {
    key: "trip_id",
    keyType: I,
    rows: [{ trip_id: 4, destination: "Oslo", title: "Spring" }],
    fields: { destination: S, title: S },
  },
});

describe("The offline planner takes a whole name:", () => {
  for (const [application, prompt, call] of [
    [CLINIC, "add a vet named Dr. Ulla Berg", ["create_vet", { name: "Dr. Ulla Berg" }]],
    [
      CLINIC,
      "add a vet called Prof. Ola Holm with speciality surgery",
      ["create_vet", { name: "Prof. Ola Holm", speciality: "surgery" }],
    ],
    [SCHOOL, "create a teacher named Mrs. Kim Sand", ["create_teacher", { name: "Mrs. Kim Sand" }]],
    // Another stop ends it.
    [CLINIC, "add a vet named Bo.", ["create_vet", { name: "Bo" }]],
    [
      SCHOOL,
      "set the destination of trip 4 to the Natural History Museum",
      ["update_trip", { trip_id: 4, destination: "Natural History Museum" }],
    ],
    [SCHOOL, "set the destination of trip 4 to the lake", ["update_trip", { trip_id: 4, destination: "the lake" }]],
    // A title may begin with its article.
    [SCHOOL, "set the title of trip 4 to the Hobbit", ["update_trip", { trip_id: 4, title: "the Hobbit" }]],
  ] as [typeof CLINIC, string, [string, JsonObject]][])
    it(`"${prompt}"`, async () => {
      expect(lastCall(await askOf(application, prompt))).to.deep.equal(call);
    });
});
