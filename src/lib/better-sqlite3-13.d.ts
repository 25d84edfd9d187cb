// The types of better-sqlite3 hold for its line 13, which is installed under a name of its own.
declare module "better-sqlite3-13" {
  export { default } from "better-sqlite3";
}
