// Free text behind the name of a field: a change takes it whole, up to where it certainly ends, or asks.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { createSession, tool } from "../session.js";

const text = { type: "string" };
const id = { type: "integer" };
const state = { type: "string", enum: ["open", "closed"] };
const ISSUE = { title: text, description: text, state, assignee: text };
const TOOLS = [
  tool("listProjects", "list", "GET /projects"),
  tool("updateProject", "update", "PATCH /projects/{project_id}", { project_id: text, name: text }, ["project_id"]),
  tool(
    "createCampaign",
    "create",
    "POST /campaigns",
    { subject: text, list_id: id, body: text, track: { type: "boolean" } },
    ["subject", "list_id"],
  ),
  tool("updateCampaign", "update", "PATCH /campaigns/{id}", { id, subject: text, body: text }, ["id"]),
  tool("updateRoom", "update", "PATCH /rooms/{room_id}", { room_id: id, number: text, floor: id, note: text }, [
    "room_id",
  ]),
  tool("createPatient", "create", "POST /patients", { first_name: text, last_name: text, phone: text }, [
    "first_name",
    "last_name",
  ]),
  tool("updatePatient", "update", "PATCH /patients/{id}", { id, first_name: text, last_name: text }, ["id"]),
  tool(
    "updateIssue",
    "update",
    "PATCH /issues/{issue_id}",
    { issue_id: id, issue: { type: "object", properties: ISSUE } },
    ["issue_id", "issue"],
  ),
];
const ASSIGN = tool("assignIssue", "action", "POST /issues/{issue_id}/assign", { issue_id: id, assignee: text }, [
  "issue_id",
  "assignee",
]);
const visit = () =>
  createSession([...TOOLS, ASSIGN], ({ name }) => (name === "listProjects" ? [{ slug: "web", name: "Site" }] : {}));
const issue = (fields: JsonObject): [string, JsonObject] => ["updateIssue", { issue_id: 5, issue: fields }];

describe("A change by the offline planner takes a text whole", () => {
  const cases: [string, [string, JsonObject]][] = [
    ["update issue 5 title: New title", issue({ title: "New title" })],
    ["update issue 5 title New title", issue({ title: "New title" })],
    ['update issue 5 title "Fix 3 bugs, in 2 pages"', issue({ title: "Fix 3 bugs, in 2 pages" })],
    ["set title of issue 5 to Dark mode 2", issue({ title: "Dark mode 2" })],
    ["rename issue 5 to War and Peace", issue({ title: "War and Peace" })],
    ["set assignee of issue 5 to bob", issue({ assignee: "bob" })],
    ["update issue 5 description: the login is closed, always", issue({ description: "the login is closed, always" })],
    ["update issue 5 state closed, title Hello there", issue({ state: "closed", title: "Hello there" })],
    ["set title of issue 5 to Hello and assignee to bob", issue({ title: "Hello", assignee: "bob" })],
    ["create campaign subject 50% off for list 1", ["createCampaign", { subject: "50% off", list_id: 1 }]],
    [
      "create a campaign for list 2 with subject Hello World and body Come in!",
      ["createCampaign", { subject: "Hello World", list_id: 2, body: "Come in!" }],
    ],
    [
      "update campaign 41 subject Hello World body Big news",
      ["updateCampaign", { id: 41, subject: "Hello World", body: "Big news" }],
    ],
    ["update issue 5 description: A: B, in project web", issue({ description: "A: B, in project web" })],
    ["assign issue 5 to bob", ["assignIssue", { issue_id: 5, assignee: "bob" }]],
    ["assign issue 5 to user bob", ["assignIssue", { issue_id: 5, assignee: "bob" }]],
    ["set number of room 3 to 12b", ["updateRoom", { room_id: 3, number: "12b" }]],
    ["set note of room 3 to 2nd attempt", ["updateRoom", { room_id: 3, note: "2nd attempt" }]],
    ["update room 3 floor 2 note best of the best", ["updateRoom", { room_id: 3, floor: 2, note: "best of the best" }]],
    [
      "create patient first name Mary Ann last name van der Berg phone 0170 55 12",
      ["createPatient", { first_name: "Mary Ann", last_name: "van der Berg", phone: "0170 55 12" }],
    ],
  ];
  for (const [prompt, call] of cases)
    it(`"${prompt}"`, async () => {
      expect((await visit()(prompt)).calls).to.deep.equal([call]);
    });

  it("and looks for the record by its own name, not by the new one", async () => {
    for (const prompt of ["rename project web to Web 3", "update project web name Web 3"])
      expect((await visit()(prompt)).calls).to.deep.equal([
        ["listProjects", {}],
        ["updateProject", { project_id: "web", name: "Web 3" }],
      ]);
  });
});

describe("A change by the offline planner asks where a text may go on with something else", () => {
  for (const prompt of [
    "rename issue 5 to Digest and make it private",
    "set title of issue 5 to Done if it is closed",
    "set title of issue 5 to Hello, for now",
    "set note of room 3 to wet for room 4",
    "rename patient 2 to Benjamin Oduya",
    "set title of issue 5 to Hello in project web",
    "set assignee of issue 5 to none",
    "mark issue 5 as urgent",
    "assign issue 5 to me",
    "assign issue 5 to project web",
    "assign issue 5 to bob in web",
    "archive issue 5",
  ])
    it(`"${prompt}"`, async () => {
      const { calls, text: answer } = await visit()(prompt);
      expect(calls).to.deep.equal([]);
      expect(answer).to.match(/I called nothing|could not|cannot|Which|What should|called none/);
    });
});
