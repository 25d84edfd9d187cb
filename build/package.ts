// Makes the npm package from what was built: `tsx build/package.ts [FOLDER]` puts agentd-VERSION.tgz there and prints its path.
// The package names only what it loads at run time; the licences of everything that is bundled go with it.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type BundleContents, CONTENTS_FOLDER } from "./bundled-packages.js";

/** The fields of package.json that are read here. */
interface Manifest {
  name: string;
  version: string;
  license?: string;
  author?: string | { name?: string };
  repository?: string | { url?: string };
  files?: string[];
  dependencies?: Record<string, string>;
  [field: string]: unknown;
}

/** What the package says about itself; scripts and development dependencies stay in the checkout. */
const PUBLISHED_FIELDS = ["name", "version", "description", "license", "type", "bin", "engines"] as const;
const LICENCES_FILE = "THIRD-PARTY-LICENSES";
const LICENCE_NAME = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

const root = dirname(import.meta.dirname);
const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, "utf8")) as T;

/** What all builds together contain. */
function bundleContents(): BundleContents {
  const folder = join(root, CONTENTS_FOLDER);
  if (!existsSync(folder)) throw new Error("nothing is built yet: npm run build comes first.");
  const builds = readdirSync(folder).map((name) => readJson<BundleContents>(join(folder, name)));
  return {
    bundled: [...new Set(builds.flatMap(({ bundled }) => bundled))].sort(),
    external: [...new Set(builds.flatMap(({ external }) => external))].sort(),
  };
}

/** The published package.json. Throws when something is loaded that the checkout does not name as a dependency. */
function publishedManifest(checkout: Manifest, external: readonly string[]): Manifest {
  const dependencies = external.map((name) => {
    const version = checkout.dependencies?.[name];
    if (version === undefined) throw new Error(`the build loads ${name}, which package.json does not depend on.`);
    return [name, version] as const;
  });
  const kept = PUBLISHED_FIELDS.map((field) => [field, checkout[field]] as const);
  return { ...(Object.fromEntries(kept) as Manifest), dependencies: Object.fromEntries(dependencies) };
}

/** A package's own licence files, or what its package.json says when it has none. Throws when neither names a licence. */
function licenceText(folder: string, { name, license, author, repository }: Manifest): string {
  const files = readdirSync(folder).filter((file) => LICENCE_NAME.test(file));
  if (files.length > 0) return files.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n");
  if (license === undefined) throw new Error(`${name} is bundled and has no licence.`);
  const by = typeof author === "object" ? author.name : author;
  const from = typeof repository === "object" ? repository.url : repository;
  return `${license}; by ${by ?? from ?? "its authors"}. The package comes without a licence file.`;
}

/** Name, version and licence of every bundled package. */
function thirdPartyLicences(bundled: readonly string[]): string {
  const sections = bundled.map((path) => {
    const folder = join(root, path);
    const manifest = readJson<Manifest>(join(folder, "package.json"));
    return `${manifest.name} ${manifest.version} (${manifest.license ?? "see below"})\n\n${licenceText(folder, manifest)}`;
  });
  const intro = "agentd is published as a bundle that contains the packages below, each under its own licence.";
  return [intro, ...[...new Set(sections)].sort()].join(`\n\n${"=".repeat(80)}\n\n`).concat("\n");
}

const destination = resolve(process.argv[2] ?? root);
const staging = mkdtempSync(join(tmpdir(), "agentd-package-"));
try {
  const checkout = readJson<Manifest>(join(root, "package.json"));
  const { bundled, external } = bundleContents();
  for (const name of [...(checkout.files ?? []), "LICENSE"])
    cpSync(join(root, name), join(staging, name), { recursive: true });
  rmSync(join(staging, CONTENTS_FOLDER), { recursive: true });
  writeFileSync(join(staging, LICENCES_FILE), thirdPartyLicences(bundled));
  const manifest = publishedManifest(checkout, external);
  writeFileSync(join(staging, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const printed = execFileSync("npm", ["pack", "--silent", "--pack-destination", destination], {
    cwd: staging,
    encoding: "utf8",
  });
  console.log(join(destination, printed.trim()));
} finally {
  rmSync(staging, { recursive: true, force: true });
}
