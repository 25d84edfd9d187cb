// The schema document on disk: the messages about a broken one, and about credentials it has no use for.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { impliedByTransport } from "../../src/applications/kinds.js";
import { StartError } from "../../src/domain/error.js";
import { openSchemaFile } from "../../src/tools/schema-file.js";
import { keptLog, petShop } from "../support/daemon.js";

describe("Schema file", () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "agentd-schema-"));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const open = (credentials: readonly string[] = []) => {
    const { log, lines } = keptLog();
    const place = {
      file: join(dir, "schema.json"),
      overridesFile: join(dir, "overrides.json"),
      operatorArguments: [],
      credentials,
    };
    return { file: openSchemaFile(place, log, impliedByTransport), lines };
  };
  const write = (name: string, text: string): void => writeFileSync(join(dir, name), text);
  const shop = JSON.stringify({
    ...petShop("http://127.0.0.1:9"),
    auth: { libKey: { type: "http", scheme: "bearer" } },
  });

  it("names the file that cannot be used, and no other", () => {
    write("schema.json", "{");
    expect(open).to.throw(StartError, /schema\.json cannot be used/);
    expect(open).to.not.throw(/overrides\.json/);
    write("schema.json", shop);
    write("overrides.json", "[]");
    expect(open).to.throw(StartError, /overrides\.json cannot be used/);
    expect(open).to.not.throw(/schema\.json/);
  });

  it("says when a credential is for a scheme that the document does not declare", () => {
    write("schema.json", shop);
    expect(open(["libKey"]).lines.filter(({ level }) => level === "warn")).to.deep.equal([]);
    const [warning, ...more] = open(["libKey", "libKy"]).lines.filter(({ level }) => level === "warn");
    expect(warning?.message).to.contain('"libKy"').and.to.contain("Did you mean libKey?");
    expect(more).to.deep.equal([]);
  });

  it("keeps the old document while the new one is broken", () => {
    write("schema.json", shop);
    const { file, lines } = open();
    const before = file.current();
    write("schema.json", "{ broken");
    expect(file.current()).to.equal(before);
    expect(lines.at(-1)).to.deep.include({ level: "error" });
    write("schema.json", shop);
    expect(file.current().catalogue.tools).to.have.length(4);
  });
});
