// Confirmations: durable before they are announced, decided exactly once, and never after they expired.
import { expect } from "chai";
import type { Claim, Store } from "../../../src/store/store.js";
import { cleanUp, hold, OK, open, tempDir, turn, verify } from "./fixture.js";

const DENIED = { error: "denied" };

const claimOf = (id: string, decision: Claim["decision"]): Claim => ({ id, decision, reason: "because" });
const statuses = async (store: Store) => (await store.history({ limit: 20 })).map((row) => row.status);

describe("Confirmations survive everything", () => {
  afterEach(cleanUp);

  it("is kept with its full arguments, beside a held row, across a restart", async () => {
    const dir = tempDir();
    const store = await open(dir);
    const held = await hold(store, "a");
    expect(held).to.deep.include({ id: "a", status: "pending", decided_at: null, history_id: 1 });
    await store.close();
    const again = await open(dir);
    expect(await again.confirmation("a")).to.deep.equal(held);
    expect(held.arguments).to.deep.equal({ password: "hunter22", n: 2n ** 60n });
    expect((await again.history({ limit: 1 }))[0]).to.deep.include({
      status: "held",
      result: null,
      arguments: { password: "[redacted]" },
    });
    expect(await again.confirmation("b")).to.equal(undefined);
  });

  it("F6 is claimed by exactly one of many racing decisions", async () => {
    const store = await open(tempDir());
    await hold(store, "a");
    const decisions: Claim["decision"][] = ["approved", "denied", "approved", "expired", "approved", "denied"];
    const claims = await Promise.all(decisions.map((decision) => store.claim(claimOf("a", decision), DENIED)));
    expect(claims.filter((claim) => claim !== undefined)).to.have.length(1);
    expect(await store.claim(claimOf("a", "approved"), DENIED)).to.equal(undefined);
    expect(await store.claim(claimOf("none", "approved"), DENIED)).to.equal(undefined);
  });

  it("turns its row pending when approved, with the edited arguments it will run with", async () => {
    const dir = tempDir();
    const store = await open(dir);
    await hold(store, "a");
    const claimed = await store.claim(
      {
        ...claimOf("a", "approved"),
        arguments: { password: "other" },
        history_arguments: { password: "[redacted]", edited: true },
        request: { method: "PUT", body: { password: "other" } },
        history_request: { method: "PUT" },
      },
      DENIED,
    );
    expect(claimed).to.deep.include({ status: "approved", reason: "because", arguments: { password: "other" } });
    expect(claimed?.request).to.deep.equal({ method: "PUT", body: { password: "other" } });
    expect(claimed?.decided_at).to.be.a("string");
    expect((await store.history({ limit: 1 }))[0]).to.deep.include({
      status: "pending",
      arguments: { password: "[redacted]", edited: true },
      request: { method: "PUT" },
    });
    expect(await store.completeCall(1, OK)).to.equal(true);
    expect(await statuses(store)).to.deep.equal(["ok"]);
    expect(await verify(dir)).to.deep.equal({ ok: true, rows: 1 });
  });

  it("makes its row denied, with the reason as its result, when refused", async () => {
    const dir = tempDir();
    const store = await open(dir);
    await hold(store, "a");
    await store.claim(claimOf("a", "denied"), DENIED);
    expect((await store.history({ limit: 1 }))[0]).to.deep.include({ status: "denied", result: DENIED });
    expect(await verify(dir)).to.deep.equal({ ok: true, rows: 1 });
  });

  it("can't be approved past its expiry, only expired", async () => {
    const store = await open(tempDir());
    await hold(store, "a", -1);
    expect(await store.claim(claimOf("a", "approved"), DENIED)).to.equal(undefined);
    expect(await statuses(store)).to.deep.equal(["held"]);
    expect((await store.claim(claimOf("a", "expired"), DENIED))?.status).to.equal("expired");
    expect(await statuses(store)).to.deep.equal(["denied"]);
  });

  it("is denied at the next start when it expired meanwhile, with a notice to its session", async () => {
    const dir = tempDir();
    const store = await open(dir);
    await store.beginTurn(turn());
    await hold(store, "old", -1);
    await hold(store, "young");
    await store.endTurn({ turn_id: "turn", status: "done", error: "", messages: [] });
    await store.close();
    const again = await open(dir);
    expect((await again.confirmation("old"))?.status).to.equal("expired");
    expect((await again.confirmation("young"))?.status).to.equal("pending");
    expect(await statuses(again)).to.deep.equal(["held", "denied"]);
    const [, notice, ...more] = await again.messages("session", 10);
    expect(notice).to.deep.include({ role: "notice" });
    expect((notice as { text: string }).text)
      .to.contain("create_pet")
      .and.to.contain("was not made");
    expect(more).to.deep.equal([]);
  });

  it("is not run again when the daemon died in the approved call, with a notice to its session", async () => {
    const dir = tempDir();
    const store = await open(dir);
    await store.beginTurn(turn());
    await hold(store, "a");
    await store.endTurn({ turn_id: "turn", status: "done", error: "", messages: [] });
    await store.claim(claimOf("a", "approved"), DENIED);
    await store.close();
    const again = await open(dir);
    expect(await statuses(again)).to.deep.equal(["interrupted"]);
    expect((await again.confirmation("a"))?.status).to.equal("approved");
    expect(await again.claim(claimOf("a", "approved"), DENIED)).to.equal(undefined);
    const notice = (await again.messages("session", 10)).at(-1);
    expect((notice as { text: string }).text).to.contain("whether it took effect is unknown");
  });

  it("reaches its session as a notice, once, unless the turn that waited reports it", async () => {
    const store = await open(tempDir());
    await store.beginTurn(turn());
    for (const id of ["a", "b", "c", "d"]) await hold(store, id);
    await store.endTurn({ turn_id: "turn", status: "done", error: "", messages: [] });
    expect(await store.appendDecisionNotices("session", 1000)).to.deep.equal([]);
    await store.claim(claimOf("a", "denied"), DENIED);
    const inFlight = await store.claim(claimOf("b", "approved"), null);
    await store.claim(claimOf("c", "expired"), DENIED);
    await store.claim(claimOf("d", "denied"), DENIED);
    await store.markNotified("d");
    const texts = (await store.appendDecisionNotices("session", 1000)).map((notice) => notice.text);
    expect(texts).to.have.length(2);
    expect(texts[0]).to.contain("(confirmation a) was refused: because");
    expect(texts[1]).to.contain("(confirmation c) was not made");
    await store.completeCall(inFlight?.history_id ?? 0, { ...OK, result: { rows: "x".repeat(5000) } });
    const [late] = await store.appendDecisionNotices("session", 1000);
    expect(late?.text).to.contain("(confirmation b) was approved and ran with status ok").and.to.contain("truncated");
    expect(await store.appendDecisionNotices("session", 1000)).to.deep.equal([]);
    expect((await store.messages("session", 10)).map((message) => message.role)).to.deep.equal([
      ...["user", "notice", "notice", "notice"],
    ]);
  });

  it("reaches its session after a restart when the daemon died between decision and notice", async () => {
    const dir = tempDir();
    const store = await open(dir);
    await store.beginTurn(turn());
    await hold(store, "a");
    await store.endTurn({ turn_id: "turn", status: "done", error: "", messages: [] });
    const claimed = await store.claim(claimOf("a", "approved"), null);
    await store.completeCall(claimed?.history_id ?? 0, OK);
    await store.close();
    const [, notice, ...more] = await (await open(dir)).messages("session", 10);
    expect(notice?.text).to.contain("was approved and ran with status ok");
    expect(more).to.deep.equal([]);
  });

  it("are listed with the pending ones first, then the newest decided", async () => {
    const store = await open(tempDir());
    for (const id of ["a", "b", "c", "d"]) await hold(store, id);
    await store.claim(claimOf("a", "approved"), DENIED);
    await store.claim(claimOf("c", "denied"), DENIED);
    const ids = async (query: Parameters<Store["confirmations"]>[0]) =>
      (await store.confirmations(query)).map((row) => row.id);
    expect(await ids({ limit: 10 })).to.deep.equal(["b", "d", "c", "a"]);
    expect(await ids({ limit: 3 })).to.deep.equal(["b", "d", "c"]);
    expect(await ids({ limit: 1 })).to.deep.equal(["b"]);
    expect(await ids({ limit: 10, status: "denied" })).to.deep.equal(["c"]);
    expect(await ids({ limit: 10, status: "pending" })).to.deep.equal(["b", "d"]);
  });
});
