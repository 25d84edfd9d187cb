// The proof of requests as they are sent: every operation of real descriptions is called with values made from the description's own
// schemas, and what arrives is compared with what the description says must arrive; then with arguments made from the tool's
// schema. Each request is judged against the original document by a library we did not write, or by another one where the first
// cannot read it. Set AGENTD_SPECS to a folder of more descriptions.
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import type { Skipped } from "../../src/applications/source.js";
import { type Proof, proveDocument, type Remark } from "./proof.js";
import { type Recorder, startRecorder } from "./record.js";

const require = createRequire(import.meta.url);
const packageFolder = (name: string): string => {
  for (const path of require.resolve.paths(name) ?? []) if (existsSync(join(path, name))) return join(path, name);
  throw new Error(`${name} is not installed`);
};

/** Requests that cannot be valid, by document and operation, with the reason; each must fail and no other may. */
const IMPOSSIBLE: Record<string, Record<string, string>> = {
  "circular-request-bodies.json": {
    "POST /direct": "TreeNode requires a parent that is a TreeNode, without end",
  },
  "discriminators.json": {
    "PATCH /improper-discriminator-placement": "every object fits both branches of its oneOf",
  },
  "schema-types.json": {
    "PUT /anything/quirks/polymorphism": "the body must be a text and an integer at once",
    "PATCH /anything/quirks/polymorphism": "the body must be a text and an integer at once",
  },
};

/** Requests that no judge can read, likewise. */
const UNREADABLE: Record<string, Record<string, string>> = {
  "circular-paths.json": {
    "PUT /anything": "a header is a list of objects, for which OpenAPI has no form",
  },
};

/** Requests to the examples by version, how many of them are valid, and how many of those the second judge judged. */
const EXAMPLES = {
  "2.0": { requests: 140, valid: 140, second: 0 },
  "3.0": { requests: 1920, valid: 1907, second: 46 },
  "3.1": { requests: 652, valid: 644, second: 46 },
};

interface Row {
  name: string;
  proof: Proof;
}

const rows: Row[] = [];
let recorder: Recorder;

/** "document operation (extent): reason", one a line. */
const named = (name: string, list: readonly Remark[]): string[] =>
  list.map(
    ({ operation, extent, from, reason }) => `${name} ${operation} (${extent}, made from the ${from}): ${reason}`,
  );

/** Proves one file: all imported, every failure one that is known to be impossible, every request not judged for a named limit. */
async function prove(file: string, name = basename(file)): Promise<Proof> {
  const proof = await proveDocument(file, recorder);
  rows.push({ name, proof });
  const impossible = IMPOSSIBLE[basename(file)] ?? {};
  expect(proof.skipped, `${name}: not imported`).to.deep.equal([]);
  expect(proof.lost, `${name}: described otherwise than in its tool`).to.deep.equal([]);
  expect(proof.imported)
    .to.equal(proof.operations)
    .and.to.equal(proof.requests / 4);
  const unexplained = proof.failures.filter(({ operation }) => impossible[operation] === undefined);
  expect(named(name, unexplained), "requests that are not valid").to.deep.equal([]);
  expect(
    Object.keys(impossible).filter((one) => !proof.failures.some(({ operation }) => operation === one)),
  ).to.deep.equal([]);
  const unknown = proof.unjudged.filter(({ limits }) => limits === "");
  expect(named(name, unknown), "requests that a judge failed on").to.deep.equal([]);
  return proof;
}

/** The counts of many documents together. */
function sum(proofs: readonly Proof[]): Proof {
  const skipped: Skipped[] = [];
  const counts = { operations: 0, imported: 0, requests: 0, valid: 0 };
  const total: Proof = { ...counts, skipped, failures: [], lost: [], second: [], unjudged: [] };
  for (const proof of proofs) {
    skipped.push(...proof.skipped);
    for (const key of ["operations", "imported", "requests", "valid"] as const) total[key] += proof[key];
    total.failures.push(...proof.failures);
    total.second.push(...proof.second);
    total.unjudged.push(...proof.unjudged);
  }
  return total;
}

/** Widths of the columns after the first. */
const WIDTHS = [10, 8, 9, 8, 6, 6, 8, 7, 7];

/** One line of the report. */
const columns = (name: string, cells: readonly (string | number)[]): string =>
  `    ${name.padEnd(27)}${cells.map((cell, i) => `${cell}`.padStart((WIDTHS[i] ?? 0) + 2)).join("")}`;

function line(name: string, proof: Proof): string {
  const { operations, imported, skipped, requests, valid, second, unjudged, failures } = proof;
  const percent = requests === 0 ? "-" : `${((100 * valid) / requests).toFixed(2)}`;
  return columns(name, [
    ...[operations, imported, skipped.length, requests, valid],
    ...[second.length, unjudged.length, failures.length, percent],
  ]);
}

/** How often each sentence occurs. */
function counted(sentences: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const sentence of sentences) counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
  return Array.from(counts, ([sentence, count]) => `${count} ${sentence}`);
}

/** Which requests went to the second judge, and which neither could judge. */
const limits = (all: readonly Row[]): string[] =>
  counted([
    ...all.flatMap(({ proof }) => proof.second.map(({ reason }) => `judged by openapi-enforcer: ${reason}`)),
    ...all.flatMap(({ proof }) => proof.unjudged.map(({ limits: both }) => `unjudged: ${both}`)),
  ]);

/** Counts by document, then every operation not imported, every request that is not valid, and who judged what and why. */
function report(all: readonly Row[]): string {
  const heads = [
    "operations",
    "imported",
    "explained",
    "requests",
    "valid",
    "by 2nd",
    "unjudged",
    "invalid",
    "valid %",
  ];
  const examples = all.filter(({ name }) => name.startsWith("examples"));
  const alone = all.filter((row) => !examples.includes(row));
  const together = { name: `${examples.length} readme examples`, proof: sum(examples.map(({ proof }) => proof)) };
  const lines = [...alone, ...(examples.length > 0 ? [together] : [])].map(({ name, proof }) => line(name, proof));
  const sentences = all.flatMap(({ name, proof: { skipped, failures, unjudged } }) => [
    ...skipped.map(({ operation, reason }) => `not imported: ${name} ${operation}: ${reason}`),
    ...named(name, failures).map((sentence) => `invalid: ${sentence}`),
    ...unjudged.map(({ operation, extent, from }) => `unjudged: ${name} ${operation} (${extent}, from the ${from})`),
  ]);
  return [columns("", heads), ...lines, ...[...sentences, ...limits(all)].map((one) => `    ${one}`)].join("\n");
}

describe("On the wire", function () {
  this.timeout(120_000);
  before(async () => {
    recorder = await startRecorder();
  });
  after(() => recorder.close());

  it("sends a valid request for every operation of GitHub @all", async () => {
    const proof = await prove(join(packageFolder("@octokit/openapi"), "generated", "api.github.com.json"), "GitHub");
    expect(proof).to.deep.include({ operations: 1223, imported: 1223, requests: 4892, valid: 4892 });
  });

  it("sends a valid request for every operation of Figma @all", async () => {
    const proof = await prove(join(packageFolder("@figma/rest-api-spec"), "openapi", "openapi.yaml"), "Figma");
    expect(proof.valid).to.equal(proof.requests);
  });

  it("sends a valid request for every operation of Directus @all", async () => {
    const proof = await prove(join(packageFolder("@directus/specs"), "dist", "openapi.json"), "Directus");
    expect(proof.valid).to.equal(proof.requests);
  });

  it("sends a valid request for every operation of what only OpenAPI 3.2 describes", async () => {
    const proof = await prove(fileURLToPath(new URL("./openapi-3.2.yaml", import.meta.url)));
    expect(proof).to.deep.include({ operations: 7, imported: 7, requests: 28, valid: 28 });
  });

  const examples: Proof[] = [];
  for (const [version, counts] of Object.entries(EXAMPLES))
    it(`sends a valid request for every operation of the ${version} examples, but for those that nothing satisfies @all`, async () => {
      // The same documents are there as YAML too; that both read alike is the source's own test.
      const folder = join(packageFolder("@readme/oas-examples"), version, "json");
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
      const proofs: Proof[] = [];
      for (const file of files.sort()) {
        const proof = await prove(join(folder, file), `examples ${version} ${file}`);
        const unreadable = Object.keys(UNREADABLE[basename(file)] ?? {});
        expect([...new Set(proof.unjudged.map(({ operation }) => operation))]).to.deep.equal(unreadable);
        proofs.push(proof);
      }
      const { requests, valid, second } = sum(proofs);
      expect({ requests, valid, second: second.length }).to.deep.equal(counts);
      examples.push(...proofs);
    });

  it("sends valid requests in at least 99 of 100 calls of all examples, those that nothing satisfies among them @all", () => {
    const { requests, valid } = sum(examples);
    expect(valid / requests).to.be.at.least(0.99);
  });

  const specs = process.env["AGENTD_SPECS"];
  const given = specs === undefined ? [] : readdirSync(specs).filter((file) => /\.(json|ya?ml)$/.test(file));
  for (const file of given.sort())
    it(`sends a valid request for at least 99 of 100 calls of ${file} @all`, async () => {
      const { requests, valid } = await prove(join(specs ?? "", file));
      expect(requests === 0 ? 1 : valid / requests).to.be.at.least(0.99);
    });
  if (specs === undefined)
    it(
      "does the same for Petstore, Slack, Stripe, Asana and OpenAI (set AGENTD_SPECS to a folder with their descriptions)",
    );

  after(() => console.log(report(rows)));
});
