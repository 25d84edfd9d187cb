// A conversation by the beginning of its id, or by a name that is near to one.
import { expect } from "chai";
import { agentd, dataDir } from "../support/spawn.js";

const ONE = "9f2c4e1a-7b1d-4d52-8a57-0f3f1f6f2c11";
const TWO = "9f2c4e77-7b1d-4d52-8a57-0f3f1f6f2c11";

describe("A conversation that is named on the command line", function () {
  this.timeout(60_000);
  let home: ReturnType<typeof dataDir>;
  const here = (...args: string[]) => agentd([...args, "--data-dir", home.dir]);

  before(async () => {
    home = dataDir();
    for (const session of [ONE, TWO, "build-10"])
      await here("run", `about ${session.slice(0, 8)}`, "--session", session);
  });

  it("is found by the beginning of an id that was made up, where only one begins so", async () => {
    const more = await here("run", "more", "--session", "9f2c4e1");
    expect(more.stderr).to.include(`session ${ONE}: about 9f2c4e1a`);
    const shown = await here("sessions", "9f2c4e1");
    expect(shown.stdout).to.include("about 9f2c4e1a").and.include("more");
    expect((await here("history", "--session", "9f2c4e1")).code).to.equal(0);
    const several = await here("run", "more", "--session", "9f2c4e");
    expect(several.code).to.equal(2);
    expect(several.stderr).to.include("several conversations begin with 9f2c4e").and.include(ONE).and.include(TWO);
  });

  it("is found by any beginning of any id where it has to be there, and several are listed @all", async () => {
    expect((await here("sessions", "buil")).stdout).to.include("about build-10");
    expect((await here("history", "--session", "buil")).code).to.equal(0);
    const several = await here("sessions", "9f");
    expect([several.code, several.stdout]).to.deep.equal([2, ""]);
    expect(several.stderr).to.include("several conversations begin with 9f").and.include(ONE).and.include(TWO);
  });

  it("is shown with its end where a chat goes on in it; what looks like an id and is none begins nothing in a chat @all", async () => {
    const input = "/session 9f2c4e77\n/session 9f3\n/session\n/session new 9f3\n/session list now\n/hlep\n/quit now\n";
    const { code, stderr } = await agentd(["chat", "--session", "build-10", "--data-dir", home.dir], { input });
    expect(code).to.equal(0);
    expect(stderr).to.match(/^session build-10: about build-10\n> about build-10\n {2}ok$/m);
    expect(stderr).to.match(new RegExp(`^session ${TWO}: about 9f2c4e77\n> about 9f2c4e77\n {2}ok$`, "m"));
    expect(stderr).to.include("no conversation begins with 9f3. /session list lists them; /session new 9f3 begins one");
    expect(stderr.match(new RegExp(`^session ${TWO}$`, "m")), stderr).to.have.length(1);
    expect(stderr)
      .to.match(/^session 9f3$/m)
      .and.include("there is no command /hlep. Did you mean /help?");
  });

  it("is a new one under any other name, which is said with the nearest that is there @all", async () => {
    const near = await here("run", "hello", "--session", "biuld-10");
    expect(near.code).to.equal(0);
    expect(near.stderr).to.include("session biuld-10, a new one. Did you mean build-10?");
    // The name of a script's own is never another one that begins so.
    expect((await here("run", "hello", "--session", "build-1")).stderr).to.include("session build-1, a new one.");
    expect((await here("run", "hello", "--session", "build-10")).stderr).to.not.include("session");
    const unknown = await here("sessions", "buidl-10");
    expect(unknown.code).to.equal(1);
    expect(unknown.stderr).to.include("there is no conversation buidl-10. Did you mean build-10?");
  });
});
