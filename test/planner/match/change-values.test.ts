// Days, times and numbers of a change: each goes to the parameter it is said of, or the planner asks.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { createSession, tool } from "../session.js";

const text = { type: "string" };
const id = { type: "integer" };
const day = { type: "string", format: "date" };
const moment = { type: "string", format: "date-time" };
const STAY = { check_in: day, check_out: day, adults: id, children: id };
const TOOLS = [
  tool("moveVisit", "action", "POST /visits/{visit_id}/move", { visit_id: id, starts_at: moment }, [
    "visit_id",
    "starts_at",
  ]),
  tool("listVisits", "list", "GET /visits"),
  tool("assignDriver", "action", "POST /vehicles/{vehicle_id}/assign", { vehicle_id: id, driver_id: id, from: day }, [
    "vehicle_id",
    "driver_id",
  ]),
  tool("createBooking", "create", "POST /bookings", { room_id: id, ...STAY }, ["room_id", "check_in", "check_out"]),
  tool("updateBooking", "update", "PATCH /bookings/{booking_id}", { booking_id: id, ...STAY }, ["booking_id"]),
  tool("createCourse", "create", "POST /courses", { id, title: text, credits: id }, ["title"]),
];
const visit = () => createSession(TOOLS, ({ name }) => (name === "listVisits" ? [{ id: 5 }] : {}));
const moved = (starts_at: string): [string, JsonObject] => ["moveVisit", { visit_id: 5, starts_at }];
const NIGHTS = { room_id: 4, check_in: "2026-12-01", check_out: "2026-12-05" };

describe("A change by the offline planner takes days, times and numbers for what they are said of", () => {
  const done: [string, [string, JsonObject]][] = [
    ["move visit 5 to 2026-12-04 at 10:30", moved("2026-12-04T10:30:00Z")],
    ["move visit 5 to december 4 2026, 3pm", moved("2026-12-04T15:00:00Z")],
    ["move visit 5 to 04.12.2026 10:30", moved("2026-12-04T10:30:00Z")],
    ["move visit 5 to tomorrow at 9am", moved("2026-11-22T09:00:00Z")],
    ["move visit 5 to monday at 9:00", moved("2026-11-23T09:00:00Z")],
    ["move visit 5 to 2026-12-04 09:30", moved("2026-12-04T09:30:00Z")],
    [
      "assign driver 13 to vehicle 4 from 2026-12-31",
      ["assignDriver", { vehicle_id: 4, driver_id: 13, from: "2026-12-31" }],
    ],
    ["create a booking for room 4 from 2026-12-01 to 2026-12-05", ["createBooking", NIGHTS]],
    ["create a booking for room 4 until 2026-12-05 from 2026-12-01", ["createBooking", NIGHTS]],
    ["update booking 45 check in 2026-12-10", ["updateBooking", { booking_id: 45, check_in: "2026-12-10" }]],
    ["create a course Chemistry with 4 credits", ["createCourse", { title: "Chemistry", credits: 4 }]],
  ];
  for (const [prompt, call] of done)
    it(`"${prompt}" is done`, async () => {
      expect((await visit()(prompt)).calls).to.deep.equal([call]);
    });

  const asked: [string, RegExp][] = [
    ["move visit 5 to 2026-12-04", /"2026-12-04" says no time of day\. Which starts_at\?/],
    ["move visit 5 to 9am", /"9am" names no day/],
    ["set adults of booking 45 to 2 more", /do not reckon/],
    ["move visit 5 to next week", /"next week" is more than a day/],
    ["move visit 5 to saturday at 9:00", /"saturday" may be two days/],
    ["move visit 5 to 4/12/2026", /"4\/12\/2026" may be two days/],
    ["assign driver 13 to vehicle 4 until 2026-12-31", /2026-12-31/],
    ["assign driver 13 to vehicle 4 to 2026-12-31", /2026-12-31/],
    ["assign driver 13 to vehicle 4 from 4/12/2026", /may be two days/],
    ["assign driver 13 to vehicle 4 from 2026-12-01T10:00:00Z", /says more than a day/],
    ["move booking 45 to 2026-12-10", /could not place "2026-12-10" in `updateBooking`/],
    ["create a course Chemistry with 4 lessons", /could not place "4" in `createCourse`/],
  ];
  for (const [prompt, answer] of asked)
    it(`"${prompt}" is asked about`, async () => {
      const turn = await visit()(prompt);
      expect(turn.calls).to.deep.equal([]);
      expect(turn.text).to.match(answer);
    });

  it("takes the day and the time that answer the question, and no day alone", async () => {
    const ask = visit();
    await ask("move visit 5 to 2026-12-04");
    expect((await ask("2026-12-05")).calls).to.deep.equal([]);
    expect((await ask("2026-12-05 at 10:00")).calls).to.deep.equal([moved("2026-12-05T10:00:00Z")]);
  });

  for (const [prompt, starts_at] of [
    ["move visit 5 to 2026-12-04 at 10:30", "2026-12-04T10:30:00+01:00"],
    ["move visit 5 to 2027-06-04 10:30", "2027-06-04T10:30:00+02:00"],
    ["move visit 5 to 2026-12-04 at 10:30 UTC", "2026-12-04T10:30:00Z"],
    ["move visit 5 to 2026-12-04T10:30:00Z", "2026-12-04T10:30:00Z"],
  ] as const)
    it(`"${prompt}" means the zone of who asks, unless it says another`, async () => {
      const ask = createSession(TOOLS, () => ({}), { timeZone: "Europe/Berlin" });
      expect((await ask(prompt)).calls).to.deep.equal([moved(starts_at)]);
    });

  it("and for a record that was listed", async () => {
    const ask = visit();
    await ask("list visits");
    expect((await ask("move it to 2026-12-05 at 10:00")).calls).to.deep.equal([moved("2026-12-05T10:00:00Z")]);
  });
});
