// Changes whose words relate records: what moves from one to another, what is given to somebody, what is removed from something.
// Beside each stand the prompts that only resemble it: those change nothing.
import { expect } from "chai";
import type { Tool } from "../../../src/domain/tool.js";
import type { JsonObject } from "../../../src/lib/json.js";
import { createSession, tool } from "../session.js";

const I = { type: "integer" };
const N = { type: "number" };
const S = { type: "string" };

/** The calls that are no mere reads. */
async function changesOf(tools: readonly Tool[], prompt: string): Promise<[string, JsonObject][]> {
  const { calls } = await createSession(tools, () => ({ ok: true }))(prompt);
  return calls.filter(([name]) => tools.find((one) => one.name === name)?.safety !== "read_only");
}

/** Prompts with the one change each makes, and prompts that make none. */
interface Group {
  title: string;
  tools: readonly Tool[];
  made: readonly (readonly [prompt: string, tool: string, args: JsonObject])[];
  none: readonly string[];
}

const MOVED = { from: 7, to: 9, amount: 50 };
const transferTool = (verb: "create" | "action", path: string, end: JsonObject): Tool =>
  tool("transfer", verb, `POST ${path}`, { from: end, to: end, amount: N, note: S }, ["from", "to", "amount"]);

const GROUPS: readonly Group[] = [
  {
    title: "what moves from one to another",
    tools: [
      transferTool("create", "/transfers", I),
      tool("listAccounts", "list", "GET /accounts", { limit: I }),
      tool("listProducts", "list", "GET /products", {}),
    ],
    made: [
      ["transfer $50 from 7 to 9", "transfer", MOVED],
      ["transfer 50 from 7 to 9", "transfer", MOVED],
      ["transfer $50 to 9 from 7", "transfer", MOVED],
      ["please transfer 50 to 9 from 7", "transfer", MOVED],
    ],
    none: [
      "transfer $50 to 9",
      "transfer from 7 to 9",
      "transfer 7 to 9",
      "transfer -50 from 7 to 9",
      "transfer $50 from 7 to 9 or 10",
      "transfer $50 and $60 from 7 to 9",
      "transfer $50 from product 7 to product 9",
      "transfer $50 from product 7 to 9",
      "do not transfer $50 from 7 to 9",
      "how do I transfer $50 from 7 to 9?",
      "show the transfer of $50 from 7 to 9",
    ],
  },
  {
    title: "what moves, where the ends are texts that a description explains",
    tools: [transferTool("action", "/transfer", { ...S, description: "Number of an account" })],
    made: [
      ["transfer $50 from 7 to 9", "transfer", { from: "7", to: "9", amount: 50 }],
      ["transfer $50 from account 7 to account 9", "transfer", { from: "7", to: "9", amount: 50 }],
    ],
    none: ["transfer $50 from product 7 to product 9", "transfer $50 to account 9"],
  },
  {
    title: "what is given to somebody",
    tools: [
      tool("listTasks", "list", "GET /tasks", { limit: I }),
      tool("getTask", "get", "GET /tasks/{task_id}", { task_id: I }, ["task_id"]),
      tool("assignTask", "action", "POST /tasks/{task_id}/assign", { task_id: I, user_id: I }, ["task_id", "user_id"]),
      tool("deleteTask", "delete", "DELETE /tasks/{task_id}", { task_id: I }, ["task_id"]),
    ],
    made: [
      ["give task 4 to user 9", "assignTask", { task_id: 4, user_id: 9 }],
      ["hand task 4 to user 9", "assignTask", { task_id: 4, user_id: 9 }],
      ["give user 9 task 4", "assignTask", { task_id: 4, user_id: 9 }],
      ["assign task 4 to user 9", "assignTask", { task_id: 4, user_id: 9 }],
    ],
    none: [
      "give me task 4",
      "give task 4",
      "give task 4 to 9",
      "give task 4 to project 9",
      "give task 4 back to user 9",
      "take task 4 from user 9",
      "show task 4 to user 9",
      "do not give task 4 to user 9",
    ],
  },
  {
    title: "what is removed from something",
    tools: [
      tool("delete_team", "delete", "DELETE /teams/{team}", { team: I }, ["team"]),
      tool("remove_member", "delete", "DELETE /teams/{team}/members/{user}", { team: I, user: I }, ["team", "user"]),
      tool("delete_user", "delete", "DELETE /users/{user}", { user: I }, ["user"]),
    ],
    made: [
      ["remove user 4 from team 9", "remove_member", { team: 9, user: 4 }],
      ["remove user 4 of team 9", "remove_member", { team: 9, user: 4 }],
      ["remove member 4 from team 9", "remove_member", { team: 9, user: 4 }],
    ],
    none: [
      "remove team 9 from user 4",
      "remove user 4 from 9",
      "remove user 4 from project 9",
      "remove user 4 from the list",
      "remove user 4 and user 5 from team 9",
      "remove 4 from team 9",
    ],
  },
  {
    title: "a number with a unit",
    tools: [
      tool("create_parcel", "create", "POST /parcels", { name: S, weight_kg: N }, ["name", "weight_kg"]),
      tool("create_coil", "create", "POST /coils", { name: S, inductance: N }, ["name", "inductance"]),
      tool(
        "create_choke",
        "create",
        "POST /chokes",
        { name: S, load: { ...N, description: "The load (L) in henries (H)" } },
        ["name", "load"],
      ),
      tool("update_timer", "update", "PATCH /timers/{id}", { id: I, timeoutMs: I, days: I }, ["id"]),
    ],
    made: [
      ["create a parcel named Y with weight 500g", "create_parcel", { name: "Y", weight_kg: 0.5 }],
      ["create a parcel named Y with weight 5 kg", "create_parcel", { name: "Y", weight_kg: 5 }],
      ["create a choke named X with load 50mH", "create_choke", { name: "X", load: 0.05 }],
      ["create a coil named X with inductance 50", "create_coil", { name: "X", inductance: 50 }],
      ["set the timeout of timer 3 to 5 seconds", "update_timer", { id: 3, timeoutMs: 5000 }],
      ["set the days of timer 3 to 4 days", "update_timer", { id: 3, days: 4 }],
    ],
    none: [
      "create a coil named X with inductance 50mH",
      "create a coil named X with inductance 50 H",
      "create a parcel named Y with weight 5 cm",
      "set the timeout of timer 3 to 5 kg",
    ],
  },
];

describe("Words that relate records", () => {
  for (const { title, tools, made, none } of GROUPS) {
    for (const [prompt, name, args] of made)
      it(`make the change for ${title}: "${prompt}"`, async () => {
        expect(await changesOf(tools, prompt)).to.deep.equal([[name, args]]);
      });
    for (const prompt of none)
      it(`make none where only some of it is said, of ${title}: "${prompt}"`, async () => {
        expect(await changesOf(tools, prompt)).to.deep.equal([]);
      });
  }
});
