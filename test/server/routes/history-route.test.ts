// A history whose rows are read while they are sent, where the reading of one fails.
import { expect } from "chai";
import { rejection } from "../../store/sqlite/fixture.js";
import { type Daemon, startDaemon } from "../../support/daemon.js";
import { postJson } from "../../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../../support/target.js";

/** A result of nearly a megabyte: two of them are more than is sent at once. */
const PETS = Array.from({ length: 1_900 }, (_, id) => ({ id, note: "lorem ipsum dolor sit amet ".repeat(18) }));

describe("GET /history: a row that cannot be read", () => {
  let target: RecordingTarget;
  let daemon: Daemon;
  before(async () => {
    target = await startTarget(() => json(PETS));
    daemon = await startDaemon({ target: target.url });
    for (let i = 0; i < 3; i++) await (await postJson(`${daemon.url}/-/tools/list_pets/call`, {})).text();
  });
  after(async () => {
    await daemon.close();
    await target.close();
  });

  it("cuts the answer, and is logged", async () => {
    const { history } = daemon.agent;
    let reads = 0;
    daemon.agent.history = async (query) => {
      if (++reads > 2) throw new Error("disk I/O error");
      return history.call(daemon.agent, query);
    };
    try {
      const answer = await fetch(`${daemon.url}/history`);
      expect(answer.status).to.equal(200);
      expect((await rejection(answer.text())).message).to.equal("terminated");
    } finally {
      daemon.agent.history = history;
    }
    const causes = daemon.log.filter(({ level }) => level === "error").map(({ fields }) => String(fields["cause"]));
    expect(causes).to.have.length(1);
    expect(causes[0]).to.contain("disk I/O error");
  });
});
