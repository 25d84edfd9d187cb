import { defineConfig } from "vite";

export default defineConfig({
  root: "static",
  base: "/",
  build: { outDir: "../dist/static", emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
