// Values of a few are words of their own: no part of an address, of a text, or of what the records are called.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { createSession, tool } from "../session.js";

const text = { type: "string" };
const READER = {
  name: text,
  status: { type: "string", enum: ["subscribed", "bounced"] },
  language: { type: "string", enum: ["de", "en", "fr"] },
  vip: { type: "boolean" },
};
const MAILER = [
  tool("addSubscriber", "create", "POST /subscribers", { email: text, ...READER }, ["email"]),
  tool("updateSubscriber", "update", "PATCH /subscribers/{email}", { email: text, ...READER }, ["email"]),
  tool("createPage", "create", "POST /pages", { title: text, vip: { type: "boolean" } }, ["title"]),
];
const email = "otto@web.de";

describe("The offline planner takes one of a few values from a word of its own", () => {
  const cases: [string, [string, JsonObject]][] = [
    [`add subscriber ${email}`, ["addSubscriber", { email }]],
    ["add subscriber bounced@vip.fr", ["addSubscriber", { email: "bounced@vip.fr" }]],
    [`update subscriber ${email} language en`, ["updateSubscriber", { email, language: "en" }]],
    [`change language of subscriber ${email} to fr`, ["updateSubscriber", { email, language: "fr" }]],
    [`set status of subscriber ${email} to subscribed`, ["updateSubscriber", { email, status: "subscribed" }]],
    [`set vip of subscriber ${email} to true`, ["updateSubscriber", { email, vip: true }]],
    [`set vip of subscriber ${email} to no`, ["updateSubscriber", { email, vip: false }]],
    ['create a page titled "For vip readers"', ["createPage", { title: "For vip readers" }]],
  ];
  it("takes no word of the name of another field for a form of a value", async () => {
    const parcels = tool("listParcels", "list", "GET /parcels", {
      state: { type: "string", enum: ["packed", "posted"] },
      post_date: { ...text, format: "date" },
      pack_note: text,
    });
    const ask = createSession([parcels], () => []);
    expect((await ask("list the post dates of the parcels")).calls).to.deep.equal([["listParcels", {}]]);
    expect((await ask("posted parcels")).calls).to.deep.equal([["listParcels", { state: "posted" }]]);
  });
  for (const [prompt, call] of cases)
    it(`"${prompt}"`, async () => {
      expect((await createSession(MAILER, () => ({}))(prompt)).calls).to.deep.equal([call]);
    });
});
