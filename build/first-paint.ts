// A plugin of Vite for what a page paints before its scripts are there. One script runs ahead of the page: a classic one without imports,
// built by itself, as a module would run only after the page is parsed. Style sheets come before the module, so that they are not
// queued behind it. Between the elements of the shell stands no blank: the module takes each over where it stands.
import { join } from "node:path";
import { build, type Plugin } from "vite";

const SHELL = /<div id="app">[\s\S]*<\/div>(?=\s*<noscript>)/;
const STYLE = /\s*<link rel="stylesheet" crossorigin[^>]*>/g;
const MODULE = /\s*<script type="module"/;

async function bundled(file: string): Promise<string> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    build: { write: false, lib: { entry: file, formats: ["iife"], name: "early" } },
  });
  const [{ output } = { output: [] }] = Array.isArray(built) ? built : [];
  const [chunk, ...others] = output;
  if (chunk?.type !== "chunk" || others.length > 0) throw new Error(`${file} is not one script`);
  return chunk.code;
}

/** For this page and the script that it names as `/SCRIPT.js`, by their paths under the root of the build. */
export function firstPaint(page: string, script: string): Plugin {
  let root = "";
  return {
    name: "first-paint",
    apply: "build",
    configResolved(config) {
      root = config.root;
    },
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        const html = bundle[page];
        if (html?.type !== "asset") throw new Error(`${page} is not built`);
        const name = script.replace(/\.ts$/, ".js");
        const source = await bundled(join(root, script));
        const file = this.getFileName(this.emitFile({ type: "asset", name, source }));
        const text = String(html.source).replace(`src="/${name}"`, `src="/${file}"`);
        if (!text.includes(file)) throw new Error(`${page} does not name /${name}`);
        const styles = (text.match(STYLE) ?? []).join("");
        html.source = text
          .replaceAll(STYLE, "")
          .replace(MODULE, (module) => styles + module)
          .replace(SHELL, (shell) => shell.replaceAll(/>\s+</g, "><"));
      },
    },
  };
}
