// The type of the one part of undici that is imported by its file.
declare module "undici/lib/dispatcher/agent.js" {
  export { Agent as default } from "undici";
}
