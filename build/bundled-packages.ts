// A plugin of Vite that writes down what a build really contains: the npm packages bundled into it and those it loads at run
// time. build/package.ts makes the published package from these files.
import { mkdirSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import type { Plugin } from "vite";

/** What one build contains. */
export interface BundleContents {
  /** Folders of the bundled packages, relative to the checkout. */
  bundled: string[];
  /** Names of the packages that are loaded at run time. */
  external: string[];
}

/** Where the builds write it down; not published. */
export const CONTENTS_FOLDER = "dist/bundled";

const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;
const PACKAGE_NAME = /^(?:@[^/]+\/)?[^/]+/;

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();

/** Writes the contents of a build to `dist/bundled/NAME.json`. */
export function bundledPackages(name: string): Plugin {
  const root = dirname(import.meta.dirname);
  return {
    name: "bundled-packages",
    apply: "build",
    generateBundle: {
      // Before other plugins inline chunks and remove them.
      order: "pre",
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
        const folders = chunks
          .flatMap(({ moduleIds }) => moduleIds)
          .flatMap((id) => PACKAGE_FOLDER.exec(id.replace(/^\0/, "").replaceAll("\\", "/")) ?? []);
        const imported = chunks
          .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
          .filter((specifier) => !(specifier in bundle) && !isBuiltin(specifier));
        const contents: BundleContents = {
          bundled: sorted(folders.map((folder) => relative(root, folder).replaceAll("\\", "/"))),
          external: sorted(imported.flatMap((specifier) => PACKAGE_NAME.exec(specifier) ?? [])),
        };
        // Here and not once the bundle is written: a worker's never is, it becomes part of another one.
        const folder = join(root, CONTENTS_FOLDER);
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(contents, undefined, 2)}\n`);
      },
    },
  };
}
