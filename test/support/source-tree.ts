// The project's own source files as syntax trees: what they import and export, how long their functions are.
// For tests about the layout; parsed by Vite's parser, which reads TypeScript and JSX and is in the tree already.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { parseSync } from "vite";
import { packageRoot } from "../../src/lib/package.js";

/** A node of the syntax tree, by what these tests ask of it. */
type Node = { type: string; start: number; end: number } & Record<string, unknown>;

/** A function of a file, named by where it starts. */
export interface SourceFunction {
  /** `file:line`. */
  at: string;
  lines: number;
  /** Positional parameters. */
  parameters: number;
}

/** One file, read and parsed. Paths are relative to the package's root. */
export interface SourceFile {
  path: string;
  text: string;
  lines: number;
  /** Files of the project it imports, types and dynamic imports included. */
  imports: string[];
  /** Packages and built-in modules it imports. */
  packages: string[];
  /** Names it imports, with the file each comes from; `*` for the whole of a file. */
  importedNames: { name: string; from: string }[];
  /** Names it exports, in the order of the file. */
  exports: string[];
  functions: SourceFunction[];
  /** `file:line` of every object literal that is spread into another where it stands: `{ ...{ a, b } }`. */
  literalSpreads: string[];
}

function pathsIn(folder: string): string[] {
  return readdirSync(join(packageRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return pathsIn(path);
    return /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".d.ts") ? [path] : [];
  });
}

/** Calls with every node of a tree, each before what is in it. */
function forEachNode(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) forEachNode(item, visit);
  else if (typeof value === "object" && value !== null) {
    if (typeof (value as Node).type === "string") visit(value as Node);
    for (const inner of Object.values(value)) forEachNode(inner, visit);
  }
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
]);

/** The file that an import specifier means; undefined for a style sheet and other files without code. */
function resolveImport(from: string, specifier: string, known: ReadonlySet<string>): string | undefined {
  const path = normalize(join(dirname(from), specifier));
  return [path.replace(/\.js$/, ".ts"), path.replace(/\.js$/, ".tsx"), path].find((one) => known.has(one));
}

function parseFile(path: string, known: ReadonlySet<string>): SourceFile {
  const text = readFileSync(join(packageRoot, path), "utf8");
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const lineOf = (at: number): number => text.slice(0, at).split("\n").length;
  const file: SourceFile = {
    path,
    text,
    lines: text.split("\n").length,
    imports: [],
    packages: [],
    importedNames: [],
    exports: [],
    functions: [],
    literalSpreads: [],
  };
  const addImport = (specifier: string, names: string[]): void => {
    if (!specifier.startsWith(".")) file.packages.push(specifier);
    const from = resolveImport(path, specifier, known);
    if (from === undefined) return;
    file.imports.push(from);
    for (const name of names) file.importedNames.push({ name, from });
  };
  forEachNode(program, (node) => {
    const source = (node["source"] as { value?: string } | undefined)?.value;
    const specifiers = (node["specifiers"] ?? []) as {
      imported?: { name: string };
      exported?: { name: string };
      local?: { name: string };
    }[];
    if (node.type === "ImportDeclaration" && source !== undefined)
      addImport(
        source,
        specifiers.map((one) => one.imported?.name ?? "*"),
      );
    else if (node.type === "ImportExpression" && source !== undefined) addImport(source, ["*"]);
    else if (node.type === "TSImportType" && source !== undefined) addImport(source, ["*"]);
    else if (node.type === "ExportAllDeclaration" && source !== undefined) addImport(source, ["*"]);
    else if (node.type === "ExportNamedDeclaration") {
      const declaration = node["declaration"] as Node | null;
      const declared =
        declaration?.type === "VariableDeclaration"
          ? (declaration["declarations"] as Node[]).map((one) => one["id"] as { name: string })
          : [declaration?.["id"] as { name: string } | undefined];
      file.exports.push(...declared.flatMap((id) => (id ? [id.name] : [])));
      file.exports.push(...specifiers.flatMap((one) => one.exported?.name ?? []));
      if (source !== undefined)
        addImport(
          source,
          specifiers.map((one) => one.local?.name ?? "*"),
        );
    } else if (FUNCTIONS.has(node.type)) {
      const start = lineOf(node.start);
      file.functions.push({
        at: `${path}:${start}`,
        lines: lineOf(node.end) - start + 1,
        parameters: (node["params"] as unknown[]).length,
      });
    } else if (node.type === "SpreadElement" && (node["argument"] as Node).type === "ObjectExpression")
      file.literalSpreads.push(`${path}:${lineOf(node.start)}`);
  });
  return file;
}

/** Every TypeScript file of these folders, parsed. */
export function sourceFiles(...folders: string[]): SourceFile[] {
  const paths = folders.flatMap(pathsIn);
  const known = new Set([...paths, ...pathsIn("src")]);
  return paths.map((path) => parseFile(path, known));
}

/** The rings of a graph: groups of nodes that reach one another. */
export function ringsIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reached = (from: string): Set<string> => {
    const seen = new Set<string>();
    const open = [...(graph.get(from) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(graph.get(next) ?? []));
    }
    return seen;
  };
  const reach = new Map([...graph.keys()].map((node) => [node, reached(node)]));
  const rings = new Map<string, string[]>();
  for (const [node, seen] of reach) {
    if (!seen.has(node)) continue;
    const ring = [...seen].filter((other) => reach.get(other)?.has(node)).sort();
    rings.set(ring.join(" "), ring);
  }
  return [...rings.values()];
}

/** The imports between what stands directly in a folder, its files and its subfolders. */
export function folderGraph(files: readonly SourceFile[], folder: string): Map<string, Set<string>> {
  const childOf = (path: string): string | undefined => {
    const inside = relative(folder, path);
    return inside.startsWith("..") ? undefined : inside.split("/")[0];
  };
  const graph = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    const here = childOf(path);
    if (here === undefined) continue;
    const others = imports.flatMap((one) => childOf(one) ?? []).filter((one) => one !== here);
    graph.set(here, new Set([...(graph.get(here) ?? []), ...others]));
  }
  return graph;
}
