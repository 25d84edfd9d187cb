// A plugin of Vite that makes one page self-contained: its script and style sheet go into the page and are no files any more.
// For a page that is served where none of its files would be.
import type { Plugin } from "vite";

const SCRIPT = /<script[^>]*\ssrc="\/([^"]+)"[^>]*><\/script>/g;
const STYLE = /<link[^>]*\srel="stylesheet"[^>]*\shref="\/([^"]+)"[^>]*>/g;

/** Inlines the files of this page, by its path under the root of the build. */
export function inlinePage(page: string): Plugin {
  return {
    name: "inline-page",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const take = (name: string): string => {
          const output = bundle[name];
          if (!output) throw new Error(`${page} refers to ${name}, which is not built`);
          if (output.type === "chunk" && output.imports.length > 0)
            throw new Error(`${page} cannot be inlined: its script shares ${output.imports.join(", ")}`);
          const text = (output.type === "chunk" ? output.code : String(output.source)).trim();
          if (/<\/(script|style)/i.test(text))
            throw new Error(`${name} cannot stand in ${page}: it closes its own element`);
          delete bundle[name];
          return text;
        };
        const html = bundle[page];
        if (html?.type !== "asset") throw new Error(`${page} is not built`);
        html.source = String(html.source)
          .replaceAll(SCRIPT, (_match, name: string) => `<script type="module">${take(name)}</script>`)
          .replaceAll(STYLE, (_match, name: string) => `<style>${take(name)}</style>`);
      },
    },
  };
}
