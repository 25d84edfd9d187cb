// Answers that are sent in their client's time, to one that takes nothing: it is disconnected, and that is no failure of the daemon.
import { expect } from "chai";
import { type Daemon, startDaemon } from "../../support/daemon.js";
import { ask, postJson } from "../../support/entry-points.js";
import { openWire, request } from "../../support/raw.js";
import { json, type RecordingTarget, startTarget } from "../../support/target.js";

/** Half a kilobyte each. An answer has to be longer than what the buffers between two sockets hold: some megabytes. */
const pets = (length: number) =>
  Array.from({ length }, (_, id) => ({ id, note: "lorem ipsum dolor sit amet ".repeat(18) }));

describe("Limits and promises: a client that takes nothing of a long answer", () => {
  let target: RecordingTarget;
  let daemon: Daemon;
  before(async function () {
    this.timeout(60_000);
    target = await startTarget((_, index) => json(pets(index === 0 ? 40_000 : 1_900)));
    daemon = await startDaemon({ target: target.url, listen: { stalledMs: 200 } });
    for (let i = 0; i < 12; i++) await (await postJson(`${daemon.url}/-/tools/list_pets/call`, {})).text();
    for (let i = 0; i < 12; i++) await ask(daemon.url, { message: "m".repeat(1_000_000), session_id: "s" });
  });
  after(async () => {
    await daemon.close();
    await target.close();
  });

  for (const path of ["/-/results/1?format=csv", "/history", "/-/sessions/s"])
    it(`is disconnected: GET ${path}`, async () => {
      const wire = await openWire(daemon.port);
      const closed = new Promise((resolve) => wire.socket.on("close", resolve));
      wire.socket.pause();
      wire.write(request(daemon.port, `GET ${path}`));
      while (!daemon.log.some(({ fields }) => fields["path"] === path.split("?")[0]))
        await new Promise((resolve) => setTimeout(resolve, 20));
      wire.socket.resume();
      await closed;
      expect(wire.received().text).to.match(/^HTTP\/1.1 200 /);
      expect(daemon.log.filter(({ level }) => level === "error")).to.deep.equal([]);
    });
});
