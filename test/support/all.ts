// Which cases `npm test` leaves out. It runs every promise once, through every entry point; a title that ends in "@all" marks a
// case that only `npm run test:all` runs: the rest of a matrix, rounds of kills, whole real descriptions, the installed package.
// mocha itself does the choosing, by its --grep. A single file (`npx mocha test/x.test.ts`) runs all of its cases.

/** The end of a title: " @all" for a case that only `npm run test:all` runs. */
export function allOnly(isLeftOut: boolean): string {
  return isLeftOut ? " @all" : "";
}
