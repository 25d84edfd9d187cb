// OpenAPI's styles as requests have them. Source: OpenAPI 3.1.1, "Style Examples"; RFC 6570.
import { expect } from "chai";
import { createHttpTransport } from "../../../../src/applications/http/transport.js";
import type { JsonObject, JsonValue } from "../../../../src/lib/json.js";
import { httpAction, parameter, prepare, targetAt } from "../../../support/http.js";

const transport = createHttpTransport();
const target = targetAt("http://127.0.0.1:9");
const list = ["blue", "black", "brown"];
const object = { R: 100, G: 200, B: 150 };

function urlOf(action: ReturnType<typeof httpAction>, args: JsonObject): string {
  return String(prepare(transport, action, args, target).request?.["url"]).slice(target.baseUrl.length);
}
function headersOf(action: ReturnType<typeof httpAction>, args: JsonObject): JsonObject {
  return prepare(transport, action, args, target).preview["headers"] as JsonObject;
}

describe("parameters in requests", () => {
  const any = { color: { type: ["string", "array", "object"] } };

  it("writes path parameters in style simple, label and matrix", () => {
    const cases: [style: string, explode: boolean, value: JsonValue, expected: string][] = [
      ["simple", false, "blue", "blue"],
      ["simple", false, list, "blue,black,brown"],
      ["simple", true, list, "blue,black,brown"],
      ["simple", false, object, "R,100,G,200,B,150"],
      ["simple", true, object, "R=100,G=200,B=150"],
      ["label", false, "blue", ".blue"],
      ["label", false, list, ".blue,black,brown"],
      ["label", true, list, ".blue.black.brown"],
      ["label", false, object, ".R,100,G,200,B,150"],
      ["label", true, object, ".R=100.G=200.B=150"],
      ["matrix", false, "blue", ";color=blue"],
      ["matrix", false, list, ";color=blue,black,brown"],
      ["matrix", true, list, ";color=blue;color=black;color=brown"],
      ["matrix", false, object, ";color=R,100,G,200,B,150"],
      ["matrix", true, object, ";R=100;G=200;B=150"],
      ["simple", false, ["a,b", "c/d"], "a%2Cb,c%2Fd"],
    ];
    for (const [style, explode, color, expected] of cases) {
      const action = httpAction(
        { path: "/x/{color}", parameters: [parameter("color", "path", { style, explode })] },
        any,
      );
      expect(urlOf(action, { color }), `${style} ${explode}`).to.equal(`/x/${expected}`);
    }
  });

  it("refuses path values that leave nothing to address", () => {
    const action = httpAction({ path: "/x/{color}", parameters: [parameter("color", "path")] }, any);
    for (const color of [[], {}, [null], [""]])
      expect(() => urlOf(action, { color }), JSON.stringify(color)).to.throw("empty");
  });

  it("writes the lists in an exploded object as lists, and what is deeper as JSON", () => {
    const action = httpAction({ path: "/x", parameters: [parameter("pageable", "query")] }, { pageable: {} });
    expect(urlOf(action, { pageable: { page: 1, sort: ["a", "b,desc"], none: [], deep: [{ c: 1 }] } })).to.equal(
      "/x?page=1&sort=a&sort=b%2Cdesc&deep=%5B%7B%22c%22%3A1%7D%5D",
    );
  });

  it("writes query parameters in every style", () => {
    const cases: [style: string, explode: boolean, value: JsonValue, expected: string][] = [
      ["form", true, "", "?color="],
      ["form", true, "blue", "?color=blue"],
      ["form", true, list, "?color=blue&color=black&color=brown"],
      ["form", false, list, "?color=blue,black,brown"],
      ["form", true, object, "?R=100&G=200&B=150"],
      ["form", false, object, "?color=R,100,G,200,B,150"],
      ["spaceDelimited", false, list, "?color=blue%20black%20brown"],
      ["spaceDelimited", false, object, "?color=R%20100%20G%20200%20B%20150"],
      ["pipeDelimited", false, list, "?color=blue%7Cblack%7Cbrown"],
      ["pipeDelimited", true, list, "?color=blue&color=black&color=brown"],
      ["deepObject", true, object, "?color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
      [
        "deepObject",
        true,
        { a: { b: ["x", { c: 1 }] } },
        "?color%5Ba%5D%5Bb%5D%5B0%5D=x&color%5Ba%5D%5Bb%5D%5B1%5D%5Bc%5D=1",
      ],
      ["deepObject", true, list, "?color%5B0%5D=blue&color%5B1%5D=black&color%5B2%5D=brown"],
      ["form", true, [], ""],
      ["form", false, [], ""],
      ["form", true, null, ""],
      ["form", true, [true, 1.5, 1e-7], "?color=true&color=1.5&color=1e-7"],
      ["form", false, ["a,b", "c"], "?color=a%2Cb,c"],
      ["form", true, [{ a: 1 }], "?color=%7B%22a%22%3A1%7D"],
    ];
    for (const [style, explode, color, expected] of cases) {
      const action = httpAction({ path: "/x", parameters: [parameter("color", "query", { style, explode })] });
      expect(urlOf(action, { color }), `${style} ${explode} ${JSON.stringify(color)}`).to.equal(`/x${expected}`);
    }
  });

  it("explodes by default in query, not in path and header", () => {
    expect(urlOf(httpAction({ path: "/x", parameters: [parameter("c", "query")] }), { c: list })).to.equal(
      "/x?c=blue&c=black&c=brown",
    );
    const header = httpAction({ path: "/x", parameters: [parameter("c", "header", { key: "X-C" })] });
    expect(headersOf(header, { c: object })["x-c"]).to.equal("R,100,G,200,B,150");
  });

  it("keeps reserved characters with allowReserved, but never those that would end the value", () => {
    const action = httpAction({ path: "/x", parameters: [parameter("q", "query", { allowReserved: true })] });
    expect(urlOf(action, { q: "a/b:c?d@e,f;g!$'()*" })).to.equal("/x?q=a/b:c?d@e,f;g!$'()*");
    expect(urlOf(action, { q: "a&b=c#d+e[f]%" })).to.equal("/x?q=a%26b%3Dc%23d%2Be%5Bf%5D%25");
    // What is escaped already is not escaped again. Source: RFC 6570, section 3.2.3.
    expect(urlOf(action, { q: "/a%20b%2fc%zz%4" })).to.equal("/x?q=/a%20b%2fc%25zz%254");
  });

  it("keeps reserved characters with allowReserved in a path, but never those that would part it", () => {
    const inPath = (rest: JsonObject = {}) =>
      httpAction({ path: "/x/{p}/y", parameters: [parameter("p", "path", { allowReserved: true, ...rest })] });
    expect(urlOf(inPath(), { p: "a:b@c,d;e!$'()*" })).to.equal("/x/a:b@c,d;e!$'()*/y");
    expect(urlOf(inPath(), { p: "a/b?c#d[e]%2F%zz" })).to.equal("/x/a%2Fb%3Fc%23d%5Be%5D%2F%25zz/y");
    expect(urlOf(inPath({ style: "matrix" }), { p: "a;b,c:d" })).to.equal("/x/;p=a%3Bb%2Cc:d/y");
    expect(urlOf(inPath({ style: "label", explode: true }), { p: ["a,b", "c:d"] })).to.equal("/x/.a%2Cb.c:d/y");
    for (const p of ["..", "%2e%2e", "a%2F..", "..%5C"])
      expect(() => urlOf(inPath(), { p }), p).to.throw('must not be "."');
  });

  it("keeps a comma of an item apart from those between items with allowReserved", () => {
    const joined = parameter("q", "query", { explode: false, allowReserved: true });
    expect(urlOf(httpAction({ path: "/x", parameters: [joined] }), { q: ["a,b", "c/d"] })).to.equal("/x?q=a%2Cb,c/d");
    const repeated = parameter("q", "query", { allowReserved: true });
    expect(urlOf(httpAction({ path: "/x", parameters: [repeated] }), { q: ["a,b", "c"] })).to.equal("/x?q=a,b&q=c");
  });

  it("writes headers plainly and cookies encoded", () => {
    const action = httpAction({
      path: "/x",
      parameters: [
        parameter("a", "header", { key: "X-A" }),
        parameter("b", "header", { key: "X-B", explode: true }),
        parameter("c", "cookie"),
        parameter("d", "cookie", { explode: false }),
      ],
    });
    const headers = headersOf(action, { a: "x y;z=1", b: object, c: "a;b=c", d: ["1", "2"] });
    expect(headers).to.deep.include({ "x-a": "x y;z=1", "x-b": "R=100,G=200,B=150", cookie: "c=a%3Bb%3Dc; d=1,2" });
  });

  it("escapes in headers of JSON what headers cannot hold", () => {
    const place = parameter("c", "header", { key: "X-C", content: "application/json" });
    const text = String(
      headersOf(httpAction({ path: "/x", parameters: [place] }), { c: { ä: ["😀\u007f", "\n"] } })["x-c"],
    );
    expect(text).to.match(/^[\x20-\x7e]+$/);
    expect(JSON.parse(text)).to.deep.equal({ ä: ["😀\u007f", "\n"] });
    const plain = httpAction({ path: "/x", parameters: [parameter("c", "header", { key: "X-C" })] });
    expect(() => headersOf(plain, { c: "ä" })).to.throw("only printable ASCII");
  });

  it("keeps with allowReserved in a cookie all but what ends one", () => {
    const place = parameter("c", "cookie", { allowReserved: true });
    const headers = headersOf(httpAction({ path: "/x", parameters: [place] }), { c: "a/b;admin=1" });
    expect(headers["cookie"]).to.equal("c=a/b%3Badmin%3D1");
  });

  it("writes cookies of style cookie as they are, and refuses what would end one", () => {
    const cookie = (rest: JsonObject = {}) =>
      httpAction({ path: "/x", parameters: [parameter("c", "cookie", { style: "cookie", ...rest })] });
    const sent = (value: JsonValue, rest?: JsonObject): unknown => headersOf(cookie(rest), { c: value })["cookie"];
    expect(sent("a/b=:%20c")).to.equal("c=a/b=:%20c");
    expect(sent(list)).to.equal("c=blue; c=black; c=brown");
    expect(sent(list, { explode: false })).to.equal("c=blue,black,brown");
    expect(sent(object)).to.equal("R=100; G=200; B=150");
    for (const value of ["a;b=c", "a b", "a\r\nX: 1", "é", { "a=b": "1" }, { "a;b": "1" }] as JsonValue[])
      expect(() => sent(value), JSON.stringify(value)).to.throw("c goes into a cookie as it is");
  });

  it("writes lists in paths and headers, and lists inside of lists, with the delimiters of their styles", () => {
    const styles: [style: string, inPath: string, inHeader: string][] = [
      ["spaceDelimited", "blue%20black%20brown", "blue black brown"],
      ["tabDelimited", "blue%09black%09brown", "blue\tblack\tbrown"],
      ["pipeDelimited", "blue%7Cblack%7Cbrown", "blue|black|brown"],
    ];
    for (const [style, inPath, inHeader] of styles) {
      const parameters = [parameter("p", "path", { style }), parameter("h", "header", { style })];
      const action = httpAction({ path: "/x/{p}", parameters }, { p: { type: "array" } });
      expect(urlOf(action, { p: list, h: list })).to.equal(`/x/${inPath}`);
      expect(headersOf(action, { p: list, h: list })["h"]).to.equal(inHeader);
    }
    const nested = [
      ["a,b", "c"],
      ["d", "e|f"],
    ];
    const inner = ["pipeDelimited"];
    const places = ["path", "query", "header", "cookie"].map((place) =>
      parameter(place, place, { inner, explode: false }),
    );
    const action = httpAction({ path: "/x/{path}", parameters: places }, { path: { type: "array" } });
    const args = { path: nested, query: nested, header: nested, cookie: nested };
    expect(urlOf(action, args)).to.equal("/x/a%2Cb%7Cc,d%7Ce%7Cf?query=a%2Cb%7Cc,d%7Ce%7Cf");
    expect(headersOf(action, args)).to.deep.include({ header: "a,b|c,d|e|f", cookie: "cookie=a%2Cb%7Cc,d%7Ce%7Cf" });
    const repeated = httpAction({ path: "/x", parameters: [parameter("q", "query", { inner: ["form"] })] });
    expect(urlOf(repeated, { q: nested })).to.equal("/x?q=a%2Cb,c&q=d,e%7Cf");
  });

  it("writes content parameters that are no JSON as the text they are", () => {
    const parameters = ["path", "query", "header", "cookie"].map((place) =>
      parameter(place, place, { content: "text/plain" }),
    );
    const action = httpAction({ path: "/x/{path}", parameters });
    const args = { path: "a b", query: "a b", header: "a b", cookie: "a b" };
    expect(urlOf(action, args)).to.equal("/x/a%20b?query=a%20b");
    expect(headersOf(action, args)).to.deep.include({ header: "a b", cookie: "cookie=a%20b" });
    const kinds = ["application/json; v=1", "text/json", "application/hal+json", "*/*", "application/xml"].map(
      (content, i) => parameter(`q${i}`, "query", { content }),
    );
    const all = Object.fromEntries(kinds.map((_, i) => [`q${i}`, "<a>"]));
    expect(urlOf(httpAction({ path: "/x", parameters: kinds }), all)).to.equal(
      `/x?${["%22%3Ca%3E%22", "%22%3Ca%3E%22", "%22%3Ca%3E%22", "%22%3Ca%3E%22", "%3Ca%3E"].map((text, i) => `q${i}=${text}`).join("&")}`,
    );
  });

  it("writes content parameters that are forms as a form, which is one value", () => {
    const content = "application/x-www-form-urlencoded; charset=utf-8";
    const places = ["path", "query", "header"].map((place) => parameter(place, place, { content }));
    const action = httpAction({ path: "/x/{path}", parameters: places });
    const form = { name: "a&b c", tags: ["x", "y"], at: { lat: 1 }, none: null };
    const args = { path: form, query: form, header: form };
    const written = "name=a%26b%20c&tags=x&tags=y&at%5Blat%5D=1";
    const escaped = encodeURIComponent(written);
    expect(urlOf(action, args)).to.equal(`/x/${escaped}?query=${escaped}`);
    expect(headersOf(action, args)["header"]).to.equal(written);
    expect(urlOf(action, { path: "a=1", query: "b=2" })).to.equal("/x/a%3D1?query=b%3D2");
  });

  it("writes content parameters as JSON, dates untouched", () => {
    const parameters = ["path", "query", "header"].map((place) =>
      parameter(place, place, { key: `X-${place}`, content: "application/json" }),
    );
    const action = httpAction({ path: "/x/{X-path}", parameters });
    const args = { path: [1], query: { a: [1, "2"] }, header: { big: 12345678901234567890n } };
    expect(urlOf(action, args)).to.equal("/x/%5B1%5D?X-query=%7B%22a%22%3A%5B1%2C%222%22%5D%7D");
    expect(headersOf(action, args)["x-header"]).to.equal('{"big":12345678901234567890}');
    const date = httpAction({ path: "/x", parameters: [parameter("since", "query")] });
    expect(urlOf(date, { since: "2026-11-21T09:00:00+01:00" })).to.equal("/x?since=2026-11-21T09%3A00%3A00%2B01%3A00");
  });

  it("sends arguments of one name to path, query, header, cookie and body, each where it belongs", () => {
    const action = httpAction({
      method: "POST",
      path: "/x/{id}",
      parameters: ["path", "query", "header", "cookie"].map((place) => parameter(`id_${place}`, place, { key: "id" })),
      body: { contentType: "application/json", required: true, properties: { id_body: "id" } },
    });
    const args = { id_path: "1", id_query: "2", id_header: "3", id_cookie: "4", id_body: "5" };
    const { request, preview } = prepare(transport, action, args, target);
    expect(request?.["url"]).to.equal("http://127.0.0.1:9/x/1?id=2");
    expect(preview["headers"]).to.deep.include({ id: "3", cookie: "id=4" });
    expect(preview["body"]).to.deep.equal({ id: "5" });
  });
});
