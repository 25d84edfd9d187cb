// The layers of the program, lowest first; a file imports from lower layers or from its own folder.
// test/architecture.test.ts asserts it of the imports, test/docs/architecture.test.ts of the picture in docs/architecture.md.

/** The folders and files of src/. */
export const LAYERS: readonly (readonly string[])[] = [
  ["lib"],
  ["domain"],
  ["results", "config", "data-dir"],
  ["tools"],
  ["applications", "store", "planner"],
  ["providers"],
  ["agent"],
  ["open.ts"],
  ["server", "demo"],
  ["cli"],
  ["main.ts"],
];

/** Those of the web UI: pure functions, signals, components, views, pages. */
export const UI_LAYERS: readonly (readonly string[])[] = [
  ["turn", "values"],
  ["state"],
  ["parts"],
  ["pages"],
  ["app.tsx"],
  ["main.tsx", "early.ts", "sign-in.ts"],
];
