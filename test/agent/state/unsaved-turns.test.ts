// Turns whose end could not be written: each is tried by itself. A disk that is nearly full takes a short one and no long one.
import { expect } from "chai";
import { createUnsavedTurns } from "../../../src/agent/state/unsaved-turns.js";
import type { TurnEnd } from "../../../src/store/store.js";
import { keptLog } from "../../support/daemon.js";

const end = (turn_id: string): TurnEnd => ({ turn_id, status: "done", error: "", messages: [] });

describe("Turns that could not be saved", () => {
  it("are saved at the last try, also behind one that cannot be", async () => {
    const saved: string[] = [];
    const { log, lines } = keptLog();
    const store = {
      async endTurn({ turn_id }: TurnEnd) {
        if (turn_id === "long") throw new Error("the disk is full");
        saved.push(turn_id);
      },
    };
    const unsaved = createUnsavedTurns(store, log);
    for (const turn_id of ["long", "short", "last"]) unsaved.add(`session of ${turn_id}`, end(turn_id));
    await unsaved.close();
    expect(saved).to.deep.equal(["short", "last"]);
    expect(lines.map(({ fields }) => fields)).to.deep.equal([{ turns: 1 }]);
  });
});
