// Builds the web UI into dist/static/, and beside it the sign-in page, which is served without a token and so must be one file.
import { defaultClientConditions, defineConfig } from "vite";
import { bundledPackages } from "./build/bundled-packages.js";
import { firstPaint } from "./build/first-paint.js";
import { inlinePage } from "./build/inline-page.js";
import { precompress } from "./build/precompress.js";

/** Modules of the web UI, but not of the sign-in page, which shares nothing. */
const OF_INDEX = /^(?!\0|.*\/static\/(?:sign-in\.|style\/sign-in)).*\.m?[jt]sx?$/;

export default defineConfig({
  root: "static",
  base: "/",
  plugins: [inlinePage("sign-in.html"), firstPaint("index.html", "early.ts"), bundledPackages("ui"), precompress()],
  // A package of the Markdown parser has a form for pages, which asks the document, and one for workers, which have none.
  resolve: { conditions: ["worker", ...defaultClientConditions] },
  worker: { format: "es", plugins: () => [bundledPackages("ui-worker")] },
  // A page below a base path has its links changed as it is sent; what the files say to each other holds wherever they are.
  experimental: { renderBuiltUrl: (file, { hostType }) => (hostType === "html" ? `/${file}` : { relative: true }) },
  build: {
    outDir: "../dist/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // In kB: the charts, which are loaded when the first one is drawn.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input: { index: "static/index.html", "sign-in": "static/sign-in.html" },
      // What the page begins with is one file: small ones wait for each other, as a browser asks for six at a time.
      output: { codeSplitting: { groups: [{ name: "begin", tags: ["$initial"], test: OF_INDEX }] } },
    },
  },
});
