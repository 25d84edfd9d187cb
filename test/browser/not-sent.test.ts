// Calls that were not made, in words.
import { expect } from "chai";
import { NOT_CALLED, TURN_CANCELLED } from "../../src/domain/stopped-call.js";
import { whyNotSent } from "../../static/turn/not-sent.js";

const refused = (message: string) => ({ error: "refused", message });

describe("Why a call was not sent", () => {
  it("is told in words of its own, by the status in the record alone", () => {
    expect(whyNotSent("blocked", refused("read_only is in force and create_pet is mutating"))).to.equal(
      "Not sent: read-only mode",
    );
    expect(whyNotSent("blocked", refused("strict is in force and x was inferred"))).to.equal("Not sent: strict mode");
    expect(whyNotSent("blocked", refused("config.json denies x (permissions.x)"))).to.equal(
      "Not sent: config.json denies it",
    );
    expect(whyNotSent("blocked", { error: "limit_reached", message: "…" })).to.equal("Not sent: a limit is reached");
    expect(whyNotSent("dry_run", { dry_run: true })).to.equal("Dry run: nothing was sent");
    expect(whyNotSent("denied", { error: "confirmation_expired" })).to.equal("Nobody approved this call in time");
    expect(whyNotSent("denied", { error: "denied" })).to.equal("You refused this call");
    const stopped = "Not sent: the turn was stopped";
    expect(whyNotSent("denied", { error: "denied", message: TURN_CANCELLED })).to.equal(stopped);
    expect(whyNotSent("error", { ...NOT_CALLED })).to.equal(stopped);
    // An application may answer what it likes.
    expect(whyNotSent("ok", { dry_run: true, not_sent: {} })).to.equal(undefined);
    expect(whyNotSent("error", refused("read_only is in force"))).to.equal(undefined);
  });
});
