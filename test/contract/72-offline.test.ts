// The provider `offline` matches words and understands none: a person confirms each of its changes, whatever the modes.
// Source: docs/reference.md, "Confirmations" and "Public configuration".
import { expect } from "chai";
import { type Daemon, petShop, startDaemon } from "../support/daemon.js";
import { ask, getJson, postJson } from "../support/entry-points.js";
import { openChat } from "../support/raw.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";

const offline = (entry: object): Record<string, unknown> => ({
  default_provider: "words",
  providers: { words: { type: "offline", ...entry } },
});

describe("Confirmations: the provider offline", () => {
  let target: RecordingTarget;
  let daemon: Daemon;
  const start = async (entry: object): Promise<void> => {
    daemon = await startDaemon({ target: target.url, config: offline(entry) });
  };
  const created = () => ask(daemon.url, { message: "create a pet named Rex", confirm: false });
  const sent = (): string[] => target.requests.map(({ method, path }) => `${method} ${path}`);

  beforeEach(async () => {
    target = await startTarget((_request, index) => json([{ id: index + 1, name: "Rex" }]));
  });
  afterEach(async () => {
    await daemon.close();
    await target.close();
  });

  it("F15 holds every change for a person, and no read, without any mode", async () => {
    await start({});
    await ask(daemon.url, { message: "list pets" });
    expect(sent()).to.deep.equal(["GET /pets"]);
    const events = await created();
    const result = events.find((event) => event.kind === "tool_result");
    expect(result).to.have.nested.property("result.error", "confirmation_required");
    expect(events.at(-2)).to.have.property("text").that.contains("a person's yes");
    expect(sent()).to.deep.equal(["GET /pets"]);
    const [held, listed] = await daemon.agent.history({ limit: 5 });
    expect(held).to.deep.include({ tool: "create_pet", status: "held" });
    expect(held?.policy).to.deep.include({ confirm: true, read_only: false });
    expect(listed?.policy).to.deep.include({ confirm: true });
    const [confirmation] = await daemon.agent.confirmations({ limit: 5 });
    await postJson(`${daemon.url}/-/confirmations/${confirmation?.id}`, { decision: "approve" });
    expect(sent()).to.deep.equal(["GET /pets", "POST /pets"]);
  });

  it("asks a client of /chat that takes extended events, and waits for it", async () => {
    await start({});
    const chat = await openChat(`${daemon.url}/chat?events=extended`);
    chat.send({ message: "delete pet 1" });
    await chat.until((frames) => frames.some(({ kind }) => kind === "confirmation_required"));
    const question = chat.frames.find(({ kind }) => kind === "confirmation_required");
    chat.send({ type: "confirm", id: question?.["id"], decision: "deny" });
    await chat.turns();
    // Read, to show it; nothing more.
    expect(sent()).to.deep.equal(["GET /pets/1"]);
    chat.close();
  });

  it("says so in the public configuration, beside the mode of the startup", async () => {
    await start({});
    const config = await getJson<object>(`${daemon.url}/config/public`);
    expect(config).to.deep.include({ confirm_default: false, provider_confirm: true });
  });

  it("answers within max_iterations, of as many pages of a list as leave a call for that", async () => {
    const schema = petShop(target.url);
    const paged = {
      name: "list_pets",
      description: "List pets",
      provenance: "declared",
      parameters: {
        type: "object",
        properties: { limit: { type: "integer", default: 1 }, offset: { type: "integer" } },
      },
      transport: {
        kind: "http",
        method: "GET",
        path: "/pets",
        parameters: [{ name: "offset", in: "query", key: "offset" }],
      },
    };
    schema.resources[0]?.actions.splice(0, 1, paged);
    daemon = await startDaemon({ target: target.url, schema, config: { ...offline({}), max_iterations: 3 } });
    const events = await ask(daemon.url, { message: "how many pets are there" });
    expect(sent()).to.deep.equal(["GET /pets"]);
    expect(events.at(-2)).to.have.property("text").that.contains("At least 1 pet");
  });

  it("makes changes at once when its entry lets it act", async () => {
    await start({ act: true });
    expect((await created()).find((event) => event.kind === "tool_result")).to.deep.include({ status: "ok" });
    expect(sent()).to.deep.equal(["POST /pets"]);
    const config = await getJson<object>(`${daemon.url}/config/public`);
    expect(config).to.deep.include({ confirm_default: false, provider_confirm: false });
  });
});
