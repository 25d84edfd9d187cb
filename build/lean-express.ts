// A plugin of Vite for what Express brings along and a daemon does not need: tables of old character sets, a parser of nested
// forms and a thousand media types are two thirds of its text, read and kept at every start.
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/** The extensions whose media types are kept; what is sent as any other file is `application/octet-stream`. */
const SERVED = new Set([
  "bin",
  "css",
  "gif",
  "html",
  "ico",
  "jpg",
  "js",
  "json",
  "png",
  "svg",
  "txt",
  "webmanifest",
  "webp",
  "woff2",
]);

/** What stands in for a module, by the end of its path. Each does what Express and its parts ask of the package, by other means. */
const REPLACED: readonly { path: RegExp; code: (file: string) => string }[] = [
  {
    // The character sets of a browser, which Node has built in. What MySQL's driver reads in CESU-8 is ASCII: the version of a server.
    path: /\/iconv-lite\/lib\/index\.js$/,
    code: () => `
      const decoder = (name) => {
        try { return new TextDecoder(name === "cesu8" ? "utf-8" : name); } catch { throw new Error("Encoding not recognized: '" + name + "'"); }
      };
      exports.encodingExists = (name) => {
        try { return Boolean(decoder(name)); } catch { return false; }
      };
      exports.decode = (bytes, name) => decoder(name).decode(bytes);
      exports.getDecoder = (name) => {
        const chunks = decoder(name);
        return { write: (chunk) => chunks.decode(chunk, { stream: true }), end: () => chunks.decode() };
      };`,
  },
  {
    // Only for the "extended" parsers of queries and forms, which neither the daemon nor the demonstration turns on.
    path: /\/node_modules\/qs\/lib\/index\.js$/,
    code: () => `module.exports = require("node:querystring");`,
  },
  {
    // Those of bodies and of the files of the web UI. A string is read faster than an object literal.
    path: /\/mime-db\/db\.json$/,
    code(file) {
      const types = JSON.parse(readFileSync(file, "utf8")) as Record<
        string,
        { extensions?: string[]; charset?: string }
      >;
      const used = Object.entries(types).filter(([, { extensions = [] }]) => extensions.some((one) => SERVED.has(one)));
      return `module.exports = JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(used)))});`;
    },
  },
];

/** Replaces them in the bundle. */
export function leanExpress(): Plugin {
  return {
    name: "lean-express",
    apply: "build",
    enforce: "pre",
    load(id) {
      const path = id.replaceAll("\\", "/");
      const replaced = REPLACED.find((one) => one.path.test(path));
      return replaced && { code: replaced.code(id), moduleType: "js" };
    },
  };
}
