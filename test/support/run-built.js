// Loaded by Node in front of every program that a test starts with the arguments of its own process: one of src/ that was built runs
// from dist/, any other is loaded as TypeScript. Plain JavaScript, because nothing that understands TypeScript is there yet.
import { existsSync } from "node:fs";
import { register } from "node:module";
import { basename, dirname, join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const source = process.argv[1] ?? "";
const built = join(root, "dist", `${basename(source, ".ts")}.js`);

if (source.startsWith(join(root, "src") + sep) && existsSync(built)) {
  const [from, to] = [source, built].map((file) => JSON.stringify(pathToFileURL(file).href));
  const hook = `export const resolve = (name, context, next) => next(name === ${from} ? ${to} : name, context);`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
} else await import("tsx/esm");
