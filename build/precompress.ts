// A plugin of Vite that puts a compressed form of every file of a build beside it (`x.js.br`, `x.js.gz`), as small as these codings
// get it: that takes a second, once, instead of a little at every request.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Plugin } from "vite";
import { CODINGS, type Coding } from "../src/server/response/compress.js";

/** Each at its best quality, which is brotli's default. */
const COMPRESS: Record<Coding["name"], (bytes: Buffer) => Buffer> = {
  br: (bytes) => brotliCompressSync(bytes),
  gzip: (bytes) => gzipSync(bytes, { level: 9 }),
};

const TEXT = /\.(?:js|css|html|svg|json)$/;
/** A shorter file fits into a packet or two as it is. */
export const WORTH_COMPRESSING_BYTES = 1024;

/** Compresses the files of the output folder once all are there. */
export function precompress(): Plugin {
  let outDir = "";
  return {
    name: "precompress",
    apply: "build",
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir);
    },
    closeBundle() {
      for (const name of readdirSync(outDir, { recursive: true, encoding: "utf8" })) {
        const file = join(outDir, name);
        if (!TEXT.test(name) || statSync(file).size < WORTH_COMPRESSING_BYTES) continue;
        const bytes = readFileSync(file);
        for (const { name: coding, suffix } of CODINGS) writeFileSync(file + suffix, COMPRESS[coding](bytes));
      }
    },
  };
}
