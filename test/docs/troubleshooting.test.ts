// docs/troubleshooting.md has every error that an HTTP client can get, and what to do about each.
import { expect } from "chai";
import { ERROR_STATUS } from "../../src/domain/error.js";
import { namesIn, read, sorted, tables, tablesOf } from "../support/docs.js";

const PAGE = read("docs/troubleshooting.md");

describe("docs/troubleshooting.md", () => {
  it("has every error of the daemon's HTTP answers, and no other", () => {
    const documented = namesIn(tablesOf(PAGE, "error", "HTTP answers of the daemon"));
    expect(sorted(documented)).to.deep.equal(sorted(Object.keys(ERROR_STATUS)));
  });

  it("says the cause of each, and what to do", () => {
    const bare = tables(PAGE).flatMap(({ rows }) => rows.filter((row) => row.length !== 3 || row.includes("")));
    expect(bare).to.deep.equal([]);
  });
});
