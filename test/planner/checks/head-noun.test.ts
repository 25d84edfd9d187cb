// What a command is about is the noun right behind its verb: nothing else is created, deleted or changed in its place.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { createSession, tool } from "../session.js";

const text = { type: "string" };
const id = { type: "integer" };
const TRACKER = [
  tool("listProjects", "list", "GET /projects"),
  tool("createProject", "create", "POST /projects", { name: text }, ["name"]),
  tool("deleteProject", "delete", "DELETE /projects/{project_id}", { project_id: text }, ["project_id"]),
  tool(
    "createIssue",
    "create",
    "POST /projects/{project_id}/issues",
    { project_id: text, issue: { type: "object", properties: { title: text, body: text }, required: ["title"] } },
    ["project_id", "issue"],
  ),
  tool("addSubscriber", "create", "POST /subscribers", { email: text, tags: { type: "array", items: text } }, [
    "email",
  ]),
  tool("createList", "create", "POST /lists", { name: text, public: { type: "boolean" } }, ["name"]),
  tool("updateList", "update", "PATCH /lists/{list_id}", { list_id: id, public: { type: "boolean" } }, ["list_id"]),
  tool("deleteGuest", "delete", "DELETE /guests/{guest_id}", { guest_id: id }, ["guest_id"]),
  tool("assignDriver", "update", "PUT /vehicles/{vehicle_id}/driver", { vehicle_id: id, driver_id: id }, [
    "vehicle_id",
    "driver_id",
  ]),
];
const visit = () =>
  createSession(TRACKER, ({ name }) => (name === "listProjects" ? [{ slug: "web", name: "Site" }] : {}));
const change = async (prompt: string): Promise<[string, JsonObject][]> =>
  (await visit()(prompt)).calls.filter(([name]) => !name.startsWith("list"));

describe("A command to the offline planner is about the noun behind its verb", () => {
  const fix: [string, JsonObject] = ["createIssue", { project_id: "web", issue: { title: "Fix it" } }];
  const done: [string, [string, JsonObject]][] = [
    ['create issue "Fix it" in project web', fix],
    ['add an issue "Fix it" to project web', fix],
    ['create an issue in project web titled "Fix it"', fix],
    ["create project Web", ["createProject", { name: "Web" }]],
    ["make list 3 public", ["updateList", { list_id: 3, public: true }]],
    ["assign driver 12 to vehicle 9", ["assignDriver", { vehicle_id: 9, driver_id: 12 }]],
  ];
  for (const [prompt, call] of done)
    it(`"${prompt}" is done`, async () => {
      expect(await change(prompt)).to.deep.equal([call]);
    });

  for (const prompt of [
    "delete guest 9's booking",
    "delete the booking of guest 9",
    "deactivate driver 12 of vehicle 9",
    "add tag beta to subscriber kim@acme.io",
    "add kim@acme.io to list 2",
    "delete issue 5 in project web",
    'create an issue for anna in project web titled "Foo"',
    "create a list called Foo public",
    "update list 3 public and delete guest 9",
  ])
    it(`"${prompt}" changes nothing`, async () => {
      expect(await change(prompt)).to.deep.equal([]);
    });
});
