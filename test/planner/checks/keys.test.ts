// Several keys in one change: each value goes to the key whose noun it stands with, in whatever order and form, or nothing changes.
import { expect } from "chai";
import type { Tool } from "../../../src/domain/tool.js";
import type { JsonObject } from "../../../src/lib/json.js";
import { createSession, tool } from "../session.js";

const I = { type: "integer" };
const S = { type: "string" };

/** DELETE of a comment of a post, its two keys named and typed as given. */
function commentTool(keys: [post: string, comment: string], type: JsonObject, inPath = true): Tool {
  const [post, comment] = keys;
  const route = inPath ? `DELETE /posts/{${post}}/comments/{${comment}}` : "DELETE /comments";
  return tool("deleteComment", "delete", route, { [post]: type, [comment]: type }, keys);
}

const FORMS: readonly [string, [post: string, comment: string], JsonObject, boolean?][] = [
  ["/posts/{id}/comments/{comment_id}", ["id", "comment_id"], I],
  ["/posts/{postId}/comments/{id}", ["postId", "id"], I],
  ["/posts/{a}/comments/{b}", ["a", "b"], I],
  ["/posts/{id}/comments/{comment_id} with texts", ["id", "comment_id"], S],
  ["two keys in the query", ["post_id", "comment_id"], I, false],
];

const SAID = [
  "delete the comment with id 7 of the post with id 3",
  "delete the comment with the id 7 from the post with the id 3",
  "remove the comment whose id is 7 from the post whose id is 3",
  "delete comment 7 of post 3",
  "delete comment number 7 in post number 3",
  "please remove comment #7 on post #3",
  "delete post 3 comment 7",
  "delete post 3's comment 7",
  "delete post 3, comment 7",
  "in post 3 delete comment 7",
  "in the post with id 3 delete the comment with id 7",
  "from post 3 remove the comment 7",
  "for post #3, delete comment #7",
  "delete the comment of post 3 with id 7",
  "delete a comment (7) from a post (3)",
];

const UNCLEAR = [
  "delete 7 from 3",
  "delete comment 7",
  "delete the comment 3/7",
  "delete the 7th comment of post 3",
  "delete comments 7 and 8 of post 3",
  "delete the comment by user 7 of post 3",
  "delete comment with comment_id 7 and id 3",
  "delete the comment 7 of 3",
];

/** The arguments of the changes that a prompt leads to. */
async function changed(tools: readonly Tool[], prompt: string): Promise<JsonObject[]> {
  const { calls } = await createSession(tools, () => ({}))(prompt);
  const changing = new Set(tools.filter(({ safety }) => safety !== "read_only").map(({ name }) => name));
  return calls.filter(([name]) => changing.has(name)).map(([, args]) => args);
}

describe("The offline planner exchanges no keys", () => {
  for (const [form, keys, type, inPath] of FORMS) {
    const tools = [commentTool(keys, type, inPath)];
    const value = (key: number): number | string => (type === S ? String(key) : key);
    for (const prompt of SAID)
      it(`${form}: "${prompt}"`, async () => {
        expect(await changed(tools, prompt)).to.deep.equal([{ [keys[0]]: value(3), [keys[1]]: value(7) }]);
      });
    for (const prompt of UNCLEAR)
      it(`${form}: "${prompt}" changes nothing`, async () => {
        expect(await changed(tools, prompt)).to.deep.equal([]);
      });
  }

  it("whatever the keys look like", async () => {
    const tools = [commentTool(["id", "comment_id"], S)];
    const [post, comment] = ["0a1b2c3d-1111-4222-8333-444455556666", "9f1c2a34-1111-4222-8333-444455556666"];
    for (const prompt of [`delete comment ${comment} of post ${post}`, `in post ${post} delete the comment ${comment}`])
      expect(await changed(tools, prompt)).to.deep.equal([{ id: post, comment_id: comment }]);
    const named = [
      tool("removeMember", "delete", "DELETE /teams/{team}/members/{member}", { team: S, member: S }, [
        "team",
        "member",
      ]),
    ];
    expect(await changed(named, "remove the member Ann of the team Red")).to.deep.equal([
      { team: "Red", member: "Ann" },
    ]);
    expect(await changed(named, "remove Ann from Red")).to.deep.equal([]);
  });

  const FROM_TO = { cardId: I, from_list_id: I, to_list_id: I };
  const MOVE = tool("moveCard", "action", "POST /cards/{cardId}/move", FROM_TO, Object.keys(FROM_TO));
  const ENDS = { amount: { type: "number" }, source_account_id: I, destination_account_id: I };
  const TRANSFER = tool("createTransfer", "create", "POST /transfers", ENDS, Object.keys(ENDS));
  for (const prompt of [
    "move card 5 from list 2 to list 9",
    "move card 5 to list 9 from list 2",
    "move card 5 from 2 to 9",
    "move card 5 to 9 from 2",
    "move from list 2 to list 9 card 5",
  ])
    it(`"${prompt}" goes by the direction`, async () => {
      expect(await changed([MOVE], prompt)).to.deep.equal([{ cardId: 5, from_list_id: 2, to_list_id: 9 }]);
    });
  for (const prompt of ["move card 5 between list 2 and list 9", "move card 5 list 2 list 9", "move 5 from 2 to 9"])
    it(`"${prompt}" is asked about`, async () => {
      expect(await changed([MOVE], prompt)).to.deep.equal([]);
    });
  for (const prompt of ["transfer 50 from account 7 to account 9", "transfer 50 to account 9 from account 7"])
    it(`"${prompt}" goes by the direction`, async () => {
      const wanted = { amount: 50, source_account_id: 7, destination_account_id: 9 };
      expect(await changed([TRANSFER], prompt)).to.deep.equal([wanted]);
    });
  for (const prompt of [
    "transfer 50 between account 7 and account 9",
    "transfer 50 account 7 account 9",
    "transfer 7 9 50",
  ])
    it(`"${prompt}" is asked about`, async () => {
      expect(await changed([TRANSFER], prompt)).to.deep.equal([]);
    });

  const ASSIGN = tool("assignTask", "update", "PUT /tasks/{task_id}/assignee", { task_id: I, user_id: I }, [
    "task_id",
    "user_id",
  ]);
  for (const prompt of ["assign task 4 to user 9", "assign user 9 to task 4", "assign to user 9 the task 4"])
    it(`"${prompt}" goes by the nouns`, async () => {
      expect(await changed([ASSIGN], prompt)).to.deep.equal([{ task_id: 4, user_id: 9 }]);
    });

  it("and takes no key that a record may refer to besides for its own", async () => {
    const args = { ticket_number: I, duplicate_of_ticket_id: I, state: { ...S, enum: ["open", "closed"] } };
    const tools = [tool("updateTicket", "update", "PATCH /tickets/{ticket_number}", args, ["ticket_number"])];
    expect(await changed(tools, "close ticket 12")).to.deep.equal([{ ticket_number: 12, state: "closed" }]);
    expect(await changed(tools, "close ticket 12 and ticket 13")).to.deep.equal([]);
  });

  it("asks again when a bare value could answer for several keys", async () => {
    const ask = createSession([commentTool(["post_id", "comment_id"], I)], () => ({}));
    expect((await ask("delete a comment")).text).to.match(/post_id.*comment_id/);
    expect((await ask("7")).calls).to.deep.equal([]);
    expect((await ask("post_id: 3, comment_id: 7")).calls).to.deep.equal([
      ["deleteComment", { post_id: 3, comment_id: 7 }],
    ]);
  });

  const SHELF = { shelf: S };
  const shelves = [
    tool("listBoxes", "list", "GET /boxes/{shelf}", SHELF, ["shelf"]),
    tool("deleteBoxes", "delete", "DELETE /boxes/{shelf}", SHELF, ["shelf"]),
    tool("getBox", "get", "GET /boxes/{shelf}/{id}", { ...SHELF, id: S }, ["shelf", "id"]),
    tool("deleteBox", "delete", "DELETE /boxes/{shelf}/{id}", { ...SHELF, id: S }, ["shelf", "id"]),
  ];
  for (const prompt of ["delete box 4", "delete box 4 of shelf tools", "delete the boxes of box 4"])
    it(`"${prompt}" takes the key of a record for none of what holds it`, async () => {
      for (const args of await changed(shelves, prompt)) expect(args).to.deep.equal({ shelf: "tools", id: "4" });
    });

  it("takes a plain word behind the noun of a key for the key where it reads, and for nothing else", async () => {
    const GUILD = { guild: S };
    const tools = [
      tool("listGuilds", "list", "GET /guilds"),
      tool("listPainters", "list", "GET /guilds/{guild}/painters", GUILD, ["guild"]),
      tool("deleteGuild", "delete", "DELETE /guilds/{guild}", GUILD, ["guild"]),
    ];
    const called = async (prompt: string) => (await createSession(tools, () => [])(prompt)).calls;
    expect(await called("list the painters of the guild ochre")).to.deep.equal([["listPainters", { guild: "ochre" }]]);
    expect(JSON.stringify(await called("list the painters of the guild quickly"))).to.not.include("quickly");
    for (const how of ["entirely", "forever", "now"])
      expect(JSON.stringify(await called(`delete the guild ${how}`))).to.not.include("deleteGuild");
  });

  it("goes by the name that is given behind the place, and by a command that is called like what it makes", async () => {
    const place = { owner: S, repo: S };
    const tools = [
      tool("createNote", "create", "POST /repos/{owner}/{repo}/notes", { ...place, title: S }, [
        "owner",
        "repo",
        "title",
      ]),
      tool("createFork", "create", "POST /repos/{owner}/{repo}/forks", place, ["owner", "repo"]),
    ];
    const where = { owner: "octo", repo: "hello" };
    const titled = 'create a note in octo/hello titled "Login fails"';
    expect(await changed(tools, titled)).to.deep.equal([{ ...where, title: "Login fails" }]);
    expect(await changed(tools, "fork octo/hello")).to.deep.equal([where]);
  });
});

const CLINIC = [
  tool("list_patients", "list", "GET /patients", { last_name: S, limit: I }),
  tool("read_patient", "get", "GET /patients/{patient_id}", { patient_id: I }, ["patient_id"]),
  tool("list_doctors", "list", "GET /doctors"),
  tool("read_doctor", "get", "GET /doctors/{doctor_id}", { doctor_id: I }, ["doctor_id"]),
  tool("list_visits", "list", "GET /visits", { patient_id: I, doctor_id: I }),
  tool("read_visit", "get", "GET /visits/{visit_id}", { visit_id: I }, ["visit_id"]),
];

describe("The offline planner reads by the key of the noun that a number stands with", () => {
  const read: [string, string][] = [
    ["visits of patient 7", "list_visits 7"],
    ["visits of the doctor with id 7", "list_visits 7"],
    ["show me patient record 7", "read_patient 7"],
    ["show patient #7", "read_patient 7"],
  ];
  for (const [prompt, expected] of read)
    it(`"${prompt}"`, async () => {
      const { calls } = await createSession(CLINIC, () => ({}))(prompt);
      expect(calls.map(([name, args]) => `${name} ${Object.values(args).join()}`)).to.deep.equal([expected]);
    });

  const others = [
    "who is the patient of visit 7?",
    "the doctor of visit 7",
    "visit 7's doctor",
    "patients born before 1990",
    "patients seen after 2001",
    "visits lasting 45 minutes",
    "patients with 3 visits",
    "the first 2 patients",
    "top 5 doctors",
    "patients in ward 9",
    "find the patient with room B-AG 101",
  ];
  for (const prompt of others)
    it(`no patient and no doctor by the number in "${prompt}"`, async () => {
      const { calls, text } = await createSession(CLINIC, () => ({ id: 1 }))(prompt);
      const keys = calls
        .flatMap(([, args]) => Object.keys(args))
        .filter((name) => /^(?:patient|doctor)_id$/.test(name));
      expect(keys).to.deep.equal([]);
      expect(text).to.not.match(/(?:patient|doctor)_id"?:/);
    });
});

describe("The offline planner goes from a record to the one it refers to", () => {
  const RECORDS: Readonly<Record<string, JsonObject>> = {
    visits: { id: 7, patient_id: 12, doctor: { id: 3, name: "Kim" }, reason: "rash" },
    patients: { id: 12, last_name: "Weber", phone: null },
    doctors: { id: 3, name: "Kim" },
  };
  const ask = (prompt: string) => createSession(CLINIC, ({ resource }) => RECORDS[resource] ?? {})(prompt);

  for (const [prompt, tool] of [
    ["who is the patient of visit 7?", "read_patient"],
    ["the doctor of visit 7", "read_doctor"],
    ["visit 7's doctor", "read_doctor"],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { calls, text } = await ask(prompt);
      expect(calls.map(([name]) => name)).to.deep.equal(["read_visit", tool]);
      expect(text).to.match(/^- \*\*id\*\*/);
    });

  it("or says in place of the record that it has nothing of what is asked for", async () => {
    const { calls, text } = await ask("the doctor of patient 12");
    expect(calls.map(([name]) => name)).to.deep.equal(["read_patient"]);
    expect(text)
      .to.match(/^I found nothing about "doctor" in this patient/)
      .and.not.contain("**id**");
  });

  for (const prompt of [
    "discharge patient 12",
    "unarchive patient 12",
    "lösche patient 12",
    "push visit 7 back by a week",
    "patient 12 moved to another ward",
    "patient 12 no longer has a doctor",
    "patient 12 is ill",
  ])
    it(`"${prompt}" reads nothing unless the person says so`, async () => {
      const { calls, text } = await ask(prompt);
      expect(calls).to.deep.equal([]);
      expect(text).to.match(/^I did not understand .*, so I called nothing\. Say "yes" to call `read_\w+` with/);
    });

  for (const prompt of [
    "show patient 12",
    "patient 12",
    "details of patient 12",
    "patient 12 phone",
    "what is the last name of patient 12",
  ])
    it(`"${prompt}" is answered without a remark`, async () => {
      expect((await ask(prompt)).text).to.match(/^(?:(?:phone|last_name): [^\n]*\n\n)?- \*\*id\*\*/);
    });
});

describe("The offline planner says which of several values it read by", () => {
  const PROJECTS = [
    tool("list_project_issues", "list", "GET /projects/{project_id}/issues", { project_id: S }, ["project_id"]),
    tool("get_room", "get", "GET /rooms/{room_id}", { room_id: I }, ["room_id"]),
    tool("list_room_bookings", "list", "GET /rooms/{room_id}/bookings", { room_id: I }, ["room_id"]),
  ];
  for (const [prompt, said] of [
    ["issues of project web and mob", 'This is only for "web": ask for "mob" by itself.'],
    ["bookings of room 3 and room 4", 'This is only for "3": ask for "4" by itself.'],
    ["rooms cheaper than room 3", 'I could not narrow anything by "cheaper than room 3".'],
    ["show room 3 and 4", 'This leaves out "4"'],
  ] as const)
    it(`"${prompt}"`, async () => {
      const reply = ({ verb }: Tool) => (verb === "list" ? [{ id: 1 }] : { id: 3, price: 10 });
      expect((await createSession(PROJECTS, reply)(prompt)).text.startsWith(said)).to.equal(true);
    });
});
