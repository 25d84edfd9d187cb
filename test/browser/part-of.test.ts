// Which rows of a long list are drawn: arithmetic, without a browser.
import { expect } from "chai";
import { partOf, topFor } from "../../static/parts/history/part-of.js";

describe("A long list", () => {
  const ROWS = 1_000_000;
  const ROW = 44;

  it("draws what is in view and a little more, and no list higher than a browser draws", () => {
    expect(partOf(3, ROW, { top: 0, height: 400 })).to.deep.equal({ first: 0, last: 2, offset: 0, height: 132 });
    const { first, last, offset, height } = partOf(1000, ROW, { top: 4400, height: 440 });
    expect([first, last, offset, height]).to.deep.equal([92, 118, 4048, 44_000]);
    expect(partOf(ROWS, ROW, { top: 0, height: 440 }).height).to.equal(15_000_000);
  });

  it("reaches the last of a million rows, which stands at the end of what is drawn", () => {
    const height = 440;
    const top = 15_000_000 - height;
    const { first, last, offset } = partOf(ROWS, ROW, { top, height });
    expect(last).to.equal(ROWS - 1);
    expect(offset + (last - first + 1) * ROW).to.be.closeTo(15_000_000, 1);
    expect(topFor(ROWS - 1, ROWS, { rowHeight: ROW, frame: { top: 0, height } })).to.be.closeTo(top, 1);
    expect(topFor(0, ROWS, { rowHeight: ROW, frame: { top, height } })).to.equal(0);
    expect(topFor(5, ROWS, { rowHeight: ROW, frame: { top: 0, height } })).to.equal(0);
  });
});
