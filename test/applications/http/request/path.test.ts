// What arguments may do to the path of a request: "." and ".." are refused in every form that some server reads as such, and what
// only looks similar arrives. Checked at a target that keeps every byte.
import { expect } from "chai";
import { createHttpTransport } from "../../../../src/applications/http/transport.js";
import { CallError, type Transport } from "../../../../src/applications/transport.js";
import type { Action } from "../../../../src/domain/schema-document.js";
import type { JsonObject, JsonValue } from "../../../../src/lib/json.js";
import { httpAction, parameter, prepare, send, targetAt } from "../../../support/http.js";
import { type RecordingTarget, startTarget } from "../../../support/target.js";

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const layered = (text: string, layers: number): string =>
  layers === 0 ? text : layered(percent(text.replaceAll(/%25/g, "%")), layers - 1);
/** The same with one more "25" a layer, as encoding only the percent sign gives it. */
const escaped = (text: string, layers: number): string => percent(text).replaceAll("%", `%${"25".repeat(layers - 1)}`);

const words = (text: string): string[] => text.split(" ");
const DOTS = [
  ...words(". %2e %2E %252e %25252e %c0%ae %C0%2e %e0%80%ae %f0%80%80%ae %fc%80%80%80%80%ae %25c0%25ae %u002e %uff0e"),
  ...words("\uff0e \u2024 \ufe52 \u3002 \uff61 %ef%bc%8e"),
];
const SLASHES = [
  ...words("/ \\ %2f %5C %252f %255c %c0%af %c1%9c %e0%80%af %u2215 %u2216 ;/ ;x=1/ ?/ #/ %00/ %0d/ %ff/ %2500/"),
  ...words("\u20e5 \uff0f \uff3c \u2215 \u2044 \u2216 \ufe68 \u00a5 \u20a9 \u200b/"),
  ...[" /", "\t/"],
];
/** Which a server that removes "../" turns into ".."; and what is folded together. */
const OTHERS = [...words("....//admin ..././admin ....\\\\admin \u2025/admin \u2025 ..; ..;a=b %2e%2e;/x"), ". ./x"];
const HARMLESS = [
  ...words("a/b 1..2 v1.0 ... ..a a.. .well-known/x a/.../b 100% %41 a;b=. \u00bd \u00e4.\u00f6 a./b 1.5 ~ a%2Fb %zz."),
  ...words("2026-01-01T00:00:00.000Z https://example.com/a?b=1 C:\\x.txt \u2026 \u3002x"),
];

describe("pieces of a path", () => {
  let server: RecordingTarget;
  let transport: Transport;
  before(async () => {
    server = await startTarget();
    transport = createHttpTransport();
  });
  after(async () => {
    await transport.close?.();
    await server.close();
  });
  beforeEach(() => {
    server.requests.length = 0;
  });

  const refuses = (action: Action, args: JsonObject): void => {
    const target = targetAt(`${server.url}/v1`);
    expect(() => prepare(transport, action, args, target), JSON.stringify(args)).to.throw(CallError, /must not be/);
  };
  const user = httpAction(
    { method: "GET", path: "/users/{id}", parameters: [parameter("id", "path")] },
    { id: { type: "string" } },
  );
  const styled = (style: string, explode: boolean, extra: JsonObject = {}): Action =>
    httpAction(
      { path: "/users/{id}/x", parameters: [parameter("id", "path", { style, explode, ...extra })] },
      { id: { type: ["string", "array", "object"] } },
    );

  it("G1 are refused when they are longer than any address, before they are looked at", () => {
    for (const text of ["\ufdfa".repeat(300_000), "%25".repeat(300_000)])
      expect(() => prepare(transport, user, { id: text }, targetAt(server.url))).to.throw(CallError, /too long/);
    const list = styled("simple", false);
    expect(() => prepare(transport, list, { id: Array(9_000).fill("x") }, targetAt(server.url))).to.throw(/too long/);
    expect(server.connections).to.equal(0);
  });

  it("G1 G2 G3 are refused when they are . or .. in any encoding, and nothing is sent", () => {
    for (const slash of SLASHES)
      for (const text of [`..${slash}..${slash}admin`, `a${slash}..`, `a${slash}.${slash}b`])
        refuses(user, { id: text });
    for (const dot of DOTS)
      for (const text of [dot, dot + dot, `${dot}${dot}/admin`, `a/${dot}.\\b`, `./${dot}`])
        refuses(user, { id: text });
    for (const text of OTHERS) refuses(user, { id: text });
    expect(server.connections).to.equal(0);
  });

  it("G1 G2 G3 are refused in every combination of dots and slashes, however often they are encoded @all", () => {
    for (const first of DOTS)
      for (const second of ["", ...DOTS])
        for (const slash of SLASHES) {
          refuses(user, { id: `${first}${second}${slash}admin` });
          refuses(user, { id: `a/${first}${second}${slash}admin` });
        }
    for (let layers = 0; layers < 5; layers++)
      for (const text of ["..", "../admin", "a\\.."]) refuses(user, { id: layered(text, layers) });
  });

  it("G2 are refused where characters fold to an escape, and where they are encoded more often than can be told", () => {
    for (const text of [
      "\uff05\uff12\uff45./admin",
      "\uff052e\uff052e\uff0fadmin",
      "%\uff12e./x",
      "..\uff05\uff12\uff46x",
    ])
      refuses(user, { id: text });
    for (const text of ["../admin", "a\\..", "."])
      for (const n of [5, 6, 9, 40]) refuses(user, { id: escaped(text, n) });
  });

  it("G1 are refused in every style, in lists and objects, in names of members and in JSON", () => {
    const values: JsonValue[] = ["../x", ["a", "../x"], ["..", "b"], { a: "../x" }, { "../x": "a" }, [["..\\x"]]];
    for (const style of ["simple", "label", "matrix"])
      for (const explode of [true, false]) for (const id of values) refuses(styled(style, explode), { id });
    for (const id of values) refuses(styled("simple", false, { content: "application/json" }), { id });
  });

  it("G1 are refused when values, or values and the path's own text, only give them together", () => {
    const pair = httpAction({
      path: "/users/{a}{b}/x",
      parameters: [parameter("a", "path"), parameter("b", "path")],
    });
    refuses(pair, { a: "x/", b: "..%2f" });
    refuses(pair, { a: "/.", b: "./" });
    refuses(pair, { a: "x%2", b: "f..%2f" });
    const beside = (path: string): Action => httpAction({ path, parameters: [parameter("a", "path")] });
    for (const path of ["/users/.{a}", "/users/%2e{a}", "/users/.{a}./x"]) refuses(beside(path), { a: ";" });
    for (const path of ["/users/{a}.", "/users/.{a}./x"]) refuses(beside(path), { a: "\u200b" });
    refuses(beside("/users/.{a}"), { a: "?x" });
    refuses(styled("label", false), { id: ";x" });
    refuses(styled("label", true), { id: ["", ";x"] });
    for (const path of ["/a/..%2fadmin", "/a/%2e%2e%5cadmin", "/a/..;/admin", "/a/%252e%252e/admin"])
      refuses(httpAction({ path, parameters: [] }), {});
  });

  it("G3 arrive as one piece when they only look similar", async () => {
    for (const id of HARMLESS) {
      const outcome = await send(transport, user, { id }, targetAt(`${server.url}/v1`));
      expect(outcome.status, id).to.equal("ok");
      const last = server.requests.at(-1)?.path ?? "";
      expect(last.split("/"), id).to.have.length(4);
      expect(decodeURIComponent(last.slice("/v1/users/".length))).to.equal(id);
    }
    expect(server.requests).to.have.length(HARMLESS.length);
  });
});
