// The list of threats by id, and those without a test of their own, each with the reason. A test whose title starts with an
// id takes it off this list; test/docs.test.ts sees to that.

/** How many rows each group has. */
const ROWS: Readonly<Record<string, number>> = {
  ...{ A: 20, B: 24, C: 24, D: 15, E: 7, F: 14, G: 25, H: 13, I: 9, J: 15, K: 12, L: 10, M: 9, N: 10, O: 8 },
};

/** Every id. */
export const THREATS: readonly string[] = Object.entries(ROWS).flatMap(([group, rows]) =>
  Array.from({ length: rows }, (_, at) => `${group}${at + 1}`),
);

const SQL = "about databases as applications, which are not there yet";
const MCP = "about MCP servers as applications and the MCP door, which are not there yet";

/** Ids without a test, and why. */
export const UNTESTED: Readonly<Record<string, string>> = {
  H1: SQL,
  H2: SQL,
  H3: SQL,
  H4: SQL,
  H5: SQL,
  H6: SQL,
  H7: SQL,
  H8: SQL,
  H9: SQL,
  H10: SQL,
  H11: SQL,
  H13: SQL,
  I1: MCP,
  I2: MCP,
  I3: MCP,
  I4: MCP,
  I5: MCP,
  I6: MCP,
  I7: MCP,
  I8: MCP,
  I9: MCP,
  L8: "the daemon starts no children that do the application's work until MCP servers are there",
  M7: "measured by npm run bench, not in the suite: seeding a million rows takes longer than the rest of it",
};
