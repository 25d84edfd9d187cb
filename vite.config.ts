import { defineConfig } from "vite";
import { bundledPackages } from "./build/bundled-packages.js";

export default defineConfig({
  root: "static",
  base: "/",
  plugins: [bundledPackages("ui")],
  build: { outDir: "../dist/static", emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
