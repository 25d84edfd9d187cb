// The schema document on disk: the messages about a broken one, and about credentials it has no use for.
import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { impliedByTransport } from "../../src/applications/kinds.js";
import { openDocument } from "../../src/tools/schema-file.js";
import { keptLog, petShop } from "../support/daemon.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("Schema file", () => {
  let dir: string;
  beforeEach(() => {
    dir = temporaryFolder("schema");
  });

  const open = (credentials: readonly string[] = [], application = "") => {
    const { log, lines } = keptLog();
    const place = {
      application,
      file: join(dir, "schema.json"),
      overridesFile: join(dir, "overrides.json"),
      operatorArguments: [],
      credentials,
    };
    const file = openDocument(place, { log, implied: impliedByTransport });
    file.current();
    return { file, lines };
  };
  const write = (name: string, text: string): void => writeFileSync(join(dir, name), text);
  const shop = JSON.stringify({
    ...petShop("http://127.0.0.1:9"),
    auth: { libKey: { type: "http", scheme: "bearer" } },
  });

  it("names the file that cannot be used, and no other", () => {
    write("schema.json", "{");
    expect(open().file.current()?.error)
      .to.match(/schema\.json cannot be used/)
      .and.to.not.match(/overrides\.json/);
    write("schema.json", shop);
    write("overrides.json", "[]");
    expect(open().file.current()?.error)
      .to.match(/overrides\.json cannot be used/)
      .and.to.not.match(/schema\.json/);
  });

  it("takes new names of an application with a name within it and in full, also those of agentd's own tools", () => {
    write("schema.json", shop);
    const names = (overridesFor: string, overrides: object): string[] => {
      write("overrides.json", JSON.stringify(overrides));
      const { loaded } = open([], overridesFor).file.current() ?? {};
      return loaded?.document.actions.map(({ name }) => name) ?? [];
    };
    const own = names("", {});
    const renamed = (name: string) => own.map((one) => (one === "get_pet" ? name : one));
    for (const [name, called] of [
      ["fetch_pet", "fetch_pet"],
      ["my_shop_fetch_pet", "fetch_pet"],
      ["my_shop_", "my_shop_"],
      ["search_tools", "search_tools"],
      ["my_shop_search_tools", "search_tools"],
    ] as const)
      expect(names("my-shop", { get_pet: { name } }), name).to.deep.equal(renamed(called));
    expect(names("", { get_pet: { name: "my_shop_fetch_pet" } })).to.deep.equal(renamed("my_shop_fetch_pet"));
    expect(names("", { get_pet: { name: "search_tools" } })).to.deep.equal(own);
  });

  it("says when a credential is for a scheme that the document does not declare", () => {
    write("schema.json", shop);
    expect(open(["libKey"]).lines.filter(({ level }) => level === "warn")).to.deep.equal([]);
    const [warning, ...more] = open(["libKey", "libKy"]).lines.filter(({ level }) => level === "warn");
    expect(warning?.message).to.contain('"libKy"').and.to.contain("Did you mean libKey?");
    expect(more).to.deep.equal([]);
  });

  it("says what is wrong with a document or corrections that are a link to themselves, also later on", () => {
    for (const name of ["schema.json", "overrides.json"]) {
      write("schema.json", shop);
      rmSync(join(dir, "overrides.json"), { force: true });
      const { file } = open();
      expect(file.current()?.error).to.equal(undefined);
      rmSync(join(dir, name), { force: true });
      symlinkSync(name, join(dir, name));
      expect(file.current()?.error).to.contain("ELOOP");
      expect(open().file.current()?.error).to.match(new RegExp(`${name} cannot be used: ELOOP`));
      rmSync(join(dir, name));
    }
  });

  it("waits for no pipe in the place of a document or of its corrections", () => {
    for (const name of ["schema.json", "overrides.json"]) {
      write("schema.json", shop);
      rmSync(join(dir, name), { force: true });
      execFileSync("mkfifo", [join(dir, name)]);
      expect(open().file.current()?.error).to.match(new RegExp(`${name} cannot be used: it is not a regular file`));
      rmSync(join(dir, name));
    }
  });

  it("has no document while the file is broken, and says why once", () => {
    write("schema.json", shop);
    const { file, lines } = open();
    const before = file.current();
    expect(file.current()).to.equal(before);
    write("schema.json", "{ broken");
    expect(file.current()?.loaded).to.equal(undefined);
    expect(file.current()?.error).to.contain("schema.json cannot be used");
    expect(lines.filter(({ level }) => level === "error")).to.have.length(1);
    write("schema.json", shop);
    expect(file.current()).to.deep.include({ error: undefined });
    expect(file.current()?.loaded?.document.actions).to.have.length(4);
    rmSync(join(dir, "schema.json"));
    expect(file.current(), "it is gone").to.equal(undefined);
  });
});
