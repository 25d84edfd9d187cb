// Which applications a data directory has. Source: docs/reference.md, "Several applications".
import fs from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { applicationFiles, namedApplications } from "../../src/data-dir/application-files.js";
import type { TrustCheck } from "../../src/domain/trust.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("Applications of a data directory", () => {
  const trusting = (...files: string[]): TrustCheck => ({
    files: () => files,
    version: () => "",
    faultOf: () => undefined,
  });

  it("are the documents in schemas, by name; what is called like no application is told apart", () => {
    const dir = temporaryFolder("data");
    expect(namedApplications(dir, undefined)).to.deep.equal({ names: [], misnamed: [] });
    fs.mkdirSync(path.join(dir, "schemas"));
    for (const name of ["shop.json", "crm-2.json", "My Shop.json", ".json", "a.json.partial-1", "note.txt"])
      fs.writeFileSync(path.join(dir, "schemas", name), "");
    expect(namedApplications(dir, undefined)).to.deep.equal({
      names: ["crm-2", "shop"],
      misnamed: [path.join(dir, "schemas", ".json"), path.join(dir, "schemas", "My Shop.json")],
    });
  });

  it("are also those whose document was trusted and is gone", () => {
    const dir = temporaryFolder("data");
    const gone = applicationFiles(dir, "shop");
    expect(
      namedApplications(dir, trusting(gone.document, gone.overrides, path.join(dir, "schema.json"))),
    ).to.deep.equal({ names: ["shop"], misnamed: [] });
  });
});
