// Kinds of applications: what their actions imply, and that an unknown kind implies nothing good.
import { expect } from "chai";
import { createTransports, impliedByTransport, openSource, SOURCE_KINDS } from "../../src/applications/kinds.js";
import { messageOf } from "../../src/domain/error.js";
import type { JsonValue } from "../../src/lib/json.js";
import { createLog } from "../../src/lib/log.js";
import { createRedactor } from "../../src/lib/redact/redact.js";

describe("Kinds of applications", () => {
  it("imply safety and verb by the method for HTTP", () => {
    const of = (method: string): string => Object.values(impliedByTransport({ kind: "http", method })).join(" ");
    expect(["get", "HEAD", "OPTIONS"].map(of)).to.deep.equal(["read_only get", "read_only action", "read_only action"]);
    expect(["POST", "PUT", "PATCH"].map(of)).to.deep.equal(["mutating action", "mutating update", "mutating update"]);
    expect(of("DELETE")).to.equal("destructive delete");
  });

  it("imply a destructive action without a method, and for a kind that is not known", () => {
    const careful = { safety: "destructive", verb: "action" };
    expect(impliedByTransport({ kind: "http" })).to.deep.equal(careful);
    for (const kind of ["grpc", "__proto__"])
      expect(impliedByTransport({ kind, method: "GET" }), kind).to.deep.equal(careful);
  });

  it("imply what arguments are called in the request, where that differs, whatever stands there", () => {
    const parameters: JsonValue[] = [
      { name: "pw", key: "password" },
      { name: "q", key: "q" },
      { key: "x" },
      { name: 1, key: "y" },
      "no",
    ];
    const body = { properties: { a: "b", c: "c", d: 1 } };
    const description = { kind: "http", method: "GET", parameters, body };
    expect(impliedByTransport(description).wireNames).to.deep.equal({ pw: "password", a: "b" });
    for (const odd of [
      { parameters: {}, body: [] },
      { parameters: [null], body: { properties: "x" } },
    ])
      expect(impliedByTransport({ kind: "http", ...odd }).wireNames).to.equal(undefined);
  });

  it("open each source they name, and none for a name of JavaScript's own", async () => {
    for (const name of SOURCE_KINDS) expect((await openSource(name))?.kind).to.equal(name);
    for (const name of ["nosql", "toString", "constructor"]) expect(await openSource(name)).to.equal(undefined);
  });

  it("keep a transport that was opened, and have none for an unknown kind", async () => {
    const transports = createTransports({
      redact: createRedactor([]),
      spoolFolder: ".",
      dataDir: ".",
      log: await createLog({ redactor: createRedactor([]), level: "silent" }),
    });
    try {
      const http = await transports.get("http");
      expect(http?.kind).to.equal("http");
      expect(await transports.get("http")).to.equal(http);
      expect(await transports.get("grpc")).to.equal(undefined);
    } finally {
      await transports.close();
    }
  });

  it("open a transport at the next call that could not be opened, and close without it", async () => {
    let isBroken = true;
    const context = {
      redact: createRedactor([]),
      dataDir: ".",
      log: await createLog({ redactor: createRedactor([]), level: "silent" }),
      get spoolFolder(): string {
        if (isBroken) throw new Error("not now");
        return ".";
      },
    };
    const transports = createTransports(context);
    const open = (): Promise<string | undefined> =>
      transports.get("sql").then((transport) => transport?.kind, messageOf);
    expect(await open()).to.equal("not now");
    await transports.close();
    isBroken = false;
    expect(await open()).to.equal("sql");
    await transports.close();
  });
});
