// What is stored and displayed of a request never holds what its arguments hide: every place, style and media type of OpenAPI,
// through a whole daemon, with a target that keeps every byte. Whatever is recorded or told is searched for a canary.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { CallAnswer } from "../../src/domain/agent.js";
import { LOCAL_CALLER } from "../../src/domain/caller.js";
import { OPEN_POLICY, type Policy } from "../../src/domain/policy.js";
import type { Confirmation, HistoryEntry } from "../../src/domain/record.js";
import { type JsonObject, type JsonValue, toJson } from "../../src/lib/json.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { getJson, postJson } from "../support/entry-points.js";
import { echo, json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const CANARY = "canary7f3a9b";
/** Also as digits: a path or header may only take a number. */
const DIGITS = 7700990011;

interface Case {
  name: string;
  transport: JsonObject;
  args: JsonObject;
}

/** An argument hidden by its own name, by its name on the wire, and by the name of a member. */
const NAMES = [
  ["password", "p"],
  ["p", "password"],
  ["p", "X-Api-Key"],
] as const;
const VALUES: Record<string, JsonValue> = {
  text: `a ${CANARY}`,
  number: DIGITS,
  list: ["a", CANARY, DIGITS],
  object: { a: CANARY, n: DIGITS, deep: [{ b: CANARY }] },
};
/** Hidden by what a member is called, in an argument that is not. */
const MEMBERS: Record<string, JsonValue> = {
  member: { user: "ada", password: CANARY },
  deep: { user: [{ api: { key: CANARY }, token: DIGITS }] },
};

const STYLES: Record<string, readonly string[]> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "tabDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
};

function parameterCases(): Case[] {
  const cases: Case[] = [];
  const add = (
    place: string,
    how: JsonObject,
    { name, key, value }: { name: string; key: string; value: JsonValue },
  ) => {
    cases.push({
      name: `${place} ${toJson(how)} ${name} → ${key}: ${toJson(value)}`,
      transport: {
        method: "GET",
        path: place === "path" ? `/x/{${key}}/y` : "/x",
        parameters: [{ name, in: place, key, ...how }],
      },
      args: { [name]: value },
    });
  };
  for (const [place, styles] of Object.entries(STYLES)) {
    const ways = styles.flatMap((style) => [true, false].map((explode): JsonObject => ({ style, explode })));
    for (const how of [...ways, { content: "application/json" }, { style: styles[0] ?? "", allowReserved: true }]) {
      for (const [name, key] of NAMES) for (const value of Object.values(VALUES)) add(place, how, { name, key, value });
      for (const value of Object.values(MEMBERS)) add(place, how, { name: "filter", key: "filter", value });
    }
  }
  return cases;
}

const isBytes = ({ contentType }: JsonObject): boolean => /octet|image/.test(String(contentType));

function bodyCases(): Case[] {
  const cases: Case[] = [];
  const add = (name: string, body: JsonObject, args: JsonObject): void => {
    cases.push({
      name: `${name} ${toJson(body)} ${toJson(args)}`,
      args,
      transport: { method: "POST", path: isBytes(body) ? "/bytes" : "/x", parameters: [], body },
    });
  };
  const fields = [
    "application/json",
    "application/merge-patch+json",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
  ];
  const encodings: JsonObject[] = ([{}, { contentType: "application/json" }] as JsonObject[]).concat(
    STYLES["query"]?.flatMap((style) => [true, false].map((explode) => ({ style, explode }))) as never,
  );
  for (const contentType of fields) {
    for (const encoding of contentType.includes("json") ? [{}] : encodings) {
      for (const [name, key] of NAMES)
        for (const value of Object.values(VALUES))
          add("field", { contentType, properties: { [name]: key }, encoding: { [key]: encoding } }, { [name]: value });
      for (const value of Object.values(MEMBERS)) {
        add("field", { contentType, properties: { f: "f" }, encoding: { f: encoding } }, { f: value });
        add("whole", { contentType, argument: "body", encoding: { f: encoding } }, { body: { f: value } });
      }
    }
    add("additional", { contentType, additional: true }, { password: CANARY, user: { token: [DIGITS] } });
  }
  for (const contentType of ["text/plain", "text/csv", "application/json"])
    for (const value of Object.values(VALUES)) add("whole", { contentType, argument: "secret" }, { secret: value });
  const long = `${"x".repeat(195)}${CANARY}`;
  for (const contentType of ["application/xml", "application/octet-stream", "application/x-ndjson"])
    for (const value of [CANARY, `data:text/plain,${CANARY}`, long])
      add("whole", { contentType, argument: "access_token" }, { access_token: value });
  for (const text of [CANARY, long])
    add("whole", { contentType: "image/*", argument: "access_token" }, { access_token: `data:image/svg+xml,${text}` });
  return cases;
}

/** One case of each place and of each media type, and all of them. */
const ALL = [...parameterCases(), ...bodyCases()];
const kindOf = ({ transport }: Case): string => {
  const [parameter] = transport["parameters"] as JsonObject[];
  return toJson([
    parameter?.["in"],
    parameter?.["content"],
    (transport["body"] as JsonObject | undefined)?.["contentType"],
  ]);
};
const SOME = ALL.filter((one, i) => ALL.findIndex((other) => kindOf(other) === kindOf(one)) === i || i % 97 === 0);

describe("The request as it is stored and displayed", () => {
  let target: RecordingTarget;
  let daemon: Daemon | undefined;
  let dir: string;
  beforeEach(async () => {
    target = await startTarget();
    // Repeats the request as it came; of a data: URL only the content comes, which is not what the argument is.
    target.answer((request, index) => (request.path === "/bytes" ? json({ index }) : echo(request, index)));
    dir = temporaryFolder("shown");
  });
  afterEach(async () => {
    await daemon?.close();
    daemon = undefined;
    await target.close();
  });

  const start = async (cases: readonly Case[]): Promise<Daemon> => {
    const actions = cases.map(({ transport, args }, i) => ({
      name: `tool_${i}`,
      provenance: "declared",
      parameters: {
        type: "object",
        properties: Object.fromEntries(
          Object.keys(args).map((name) => [name, { type: ["string", "number", "array", "object"] }]),
        ),
        additionalProperties: true,
      },
      transport: { kind: "http", ...transport },
    }));
    daemon = await startDaemon({ dataDir: dir, schema: { base_url: target.url, resources: [{ name: "r", actions }] } });
    return daemon;
  };
  /** Calls every tool; what each call tells its caller. */
  const callAll = async (cases: readonly Case[], mode: Partial<Policy>): Promise<string[]> => {
    const told: string[] = [];
    for (const [i, { args }] of cases.entries()) {
      const calls = daemon?.agent.call(
        {
          tool: `tool_${i}`,
          arguments: args,
          policy: { ...OPEN_POLICY, ...mode },
          session_id: "",
          client: "test",
          caller: LOCAL_CALLER,
        },
        { signal: new AbortController().signal, interactive: false },
      );
      let answer: CallAnswer | undefined;
      for (;;) {
        const step = await calls?.next();
        if (step?.done) answer = step.value;
        else told.push(toJson(step?.value));
        if (!step || step.done) break;
      }
      told.push(toJson({ ...answer, confirmation: undefined }));
    }
    return told;
  };
  const clean = (where: string, text: string): void => {
    for (const secret of [CANARY, String(DIGITS)])
      for (let at = text.indexOf(secret); at >= 0; at = -1)
        expect.fail(`${where}: ${text.slice(Math.max(0, at - 300), at + 40)}`);
  };
  const history = (): Promise<HistoryEntry[]> => getJson(`${daemon?.url}/history?limit=10000`);

  const provesFor = async (cases: readonly Case[]): Promise<void> => {
    await start(cases);
    const sent = await callAll(cases, {});
    const [arrived, rows] = [target.requests.length, await history()];
    for (const [i, { name }] of cases.entries()) clean(`${name}: the row`, toJson(rows[rows.length - 1 - i]));
    expect(rows.filter(({ status }) => status !== "ok").map(({ result }) => result)).to.deep.equal([]);
    expect(arrived).to.equal(cases.length);
    for (const [i, { raw }] of target.requests.entries())
      expect(/canary7f3a9b|7700990011/.test(String(raw)), `${cases[i]?.name}: is sent`).to.equal(true);
    const tried = await callAll(cases, { dry_run: true });
    for (const [i, { name }] of cases.entries()) clean(`${name}: dry run`, tried[i] ?? "");
    expect(tried.join()).to.contain("not_sent");
    clean("what callers are told", sent.join());
    clean("the log", JSON.stringify(daemon?.log));
    await daemon?.close();
    daemon = undefined;
    for (const file of readdirSync(dir).filter((one) => one !== "schema.json"))
      clean(file, readFileSync(join(dir, file), "latin1"));
    expect(target.requests).to.have.length(arrived);
  };
  const provesHeld = async (cases: readonly Case[]): Promise<void> => {
    await start(cases);
    clean("what callers are told", (await callAll(cases, { confirm: true })).join());
    const held = await getJson<Confirmation[]>(`${daemon?.url}/-/confirmations?limit=1000`);
    expect(held).to.have.length(cases.filter(({ transport }) => transport["method"] === "POST").length);
    for (const { request, tool, id, arguments: args } of held) {
      const { name = "" } = cases[Number(tool.slice(5))] ?? {};
      clean(`${name}: what is to be confirmed`, toJson(request));
      const decision = Number(tool.slice(5)) % 2 === 0 ? {} : { arguments: args };
      const decided = await postJson(`${daemon?.url}/-/confirmations/${id}`, { decision: "approve", ...decision });
      expect(((await decided.json()) as { outcome: JsonObject }).outcome["status"], name).to.equal("ok");
    }
    clean("the rows", toJson(await history()));
    expect(target.requests).to.have.length(cases.length);
    for (const { raw } of target.requests) expect(String(raw)).to.match(/canary7f3a9b|7700990011/);
  };

  it("N4 G26 holds nothing that the arguments hide, whether it is sent or tried @all", () => provesFor(SOME));
  it("N4 G26 holds nothing that the arguments hide, in every place, style and media type @all", () =>
    provesFor(ALL)).timeout(120_000);
  it("N4 G26 holds nothing that the arguments hide when it waits for a person, and is sent whole", () =>
    provesHeld(SOME));
  it("N4 G26 holds nothing that the arguments hide when it waits, in every place, style and media type @all", () =>
    provesHeld(ALL)).timeout(120_000);
});
