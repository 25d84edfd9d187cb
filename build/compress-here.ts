// write-excel-file compresses large files in workers that it makes of text. The content policy refuses these, and it waits for them for
// good. The page makes its files in a worker of its own, where the compression may take its time: it happens there.
import type { Plugin } from "vite";

const OTHER_WORKERS = "../zip/zipToArrayBuffer.js";
const HERE = "../zip/zipToArrayBufferSync.js";
const PREFIX = "\0compress-here:";

/** Lets write-excel-file compress where it runs. The build fails when the package is no longer made so. */
export function compressHere(): Plugin {
  return {
    name: "agentd:compress-here",
    enforce: "pre",
    async resolveId(id, importer) {
      if (id !== OTHER_WORKERS || !importer?.includes("write-excel-file")) return null;
      const found = await this.resolve(HERE, importer);
      if (!found) throw new Error(`write-excel-file has no ${HERE} any more.`);
      return PREFIX + found.id;
    },
    load(id) {
      if (!id.startsWith(PREFIX)) return null;
      const file = JSON.stringify(id.slice(PREFIX.length));
      return `import compress from ${file};\nexport default async (files) => compress(files);`;
    },
  };
}
