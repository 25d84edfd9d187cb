// Request bodies as targets receive them.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { createHttpTransport } from "../../../../src/applications/http/transport.js";
import { CallError, type Target } from "../../../../src/applications/transport.js";
import type { JsonObject, JsonValue } from "../../../../src/lib/json.js";
import { httpAction, objectIn, prepare, send, targetAt } from "../../../support/http.js";
import { type RecordedRequest, type RecordingTarget, startTarget } from "../../../support/target.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

describe("request bodies", () => {
  let server: RecordingTarget;
  let target: Target;
  let folder: string;
  const transport = createHttpTransport();
  before(async () => {
    server = await startTarget();
    target = targetAt(server.url);
    folder = temporaryFolder("upload");
  });
  after(async () => {
    await transport.close?.();
    await server.close();
  });

  const action = (body: JsonObject, properties: JsonObject = {}) =>
    httpAction({ method: "POST", path: "/x", parameters: [], body }, properties);
  const sent = async (
    body: JsonObject,
    args: JsonObject,
    properties: JsonObject = {},
    to = target,
  ): Promise<RecordedRequest> => {
    await send(transport, action(body, properties), args, to);
    const request = server.requests.at(-1);
    if (!request) throw new Error("nothing arrived");
    return request;
  };
  const FORM = "application/x-www-form-urlencoded";
  const form = async (args: JsonObject, encoding: JsonObject = {}): Promise<string> =>
    (await sent({ contentType: FORM, additional: true, encoding }, args)).body.toString();

  it("sends JSON with a content type and length, fields by their names in the description", async () => {
    const body = { contentType: "application/json", required: true, properties: { body_id: "id", when: "when" } };
    const request = await sent(body, { body_id: 9007199254740993n, when: "2026-02-30" });
    expect(request.header("content-type")).to.equal("application/json");
    expect(request.body.toString()).to.equal('{"id":9007199254740993,"when":"2026-02-30"}');
    expect(request.header("content-length")).to.equal(String(request.body.length));
  });

  it("sends arrays, texts, numbers, booleans and null as whole JSON bodies", async () => {
    const values: JsonValue[] = [[1, { a: null }], "é", 7, false, null, []];
    for (const value of values)
      expect(
        (await sent({ contentType: "application/json", argument: "body" }, { body: value })).body.toString(),
      ).to.equal(JSON.stringify(value));
    const patch = await sent(
      { contentType: "application/merge-patch+json; charset=utf-8", argument: "body" },
      { body: {} },
    );
    expect(patch.header("content-type")).to.equal("application/merge-patch+json");
  });

  it("keeps the parameters of a media type, but for what the body itself decides", async () => {
    const type = async (
      contentType: string,
      rest: JsonObject = { properties: { a: "a" } },
    ): Promise<string | undefined> =>
      (await sent({ contentType, ...rest }, { a: "1", body: "x" })).header("content-type");
    for (const same of [
      "application/json; v=1.0",
      "application/json; api-version=2.0",
      "application/json; odata.metadata=minimal",
    ])
      expect(await type(same)).to.equal(same);
    expect(await type('application/vnd.a+json;profile="a b"; charset=UTF-8')).to.equal(
      'application/vnd.a+json; profile="a b"',
    );
    expect(await type("application/x-www-form-urlencoded; v=2")).to.equal("application/x-www-form-urlencoded; v=2");
    expect(await type("multipart/form-data; v=2; boundary=b")).to.match(/^multipart\/form-data; v=2; boundary=agentd-/);
    const whole = { argument: "body" };
    expect(await type("text/csv; header=present; charset=latin1", whole)).to.equal(
      "text/csv; header=present; charset=utf-8",
    );
    expect(await type("application/octet-stream; a=b", whole)).to.equal("application/octet-stream; a=b");
    expect(await type('application/json; a="x\r\nX-Evil: 1"')).to.equal("application/json");
  });

  it("refuses a part of values in a type that they are not written in", async () => {
    const body = (contentType: string): JsonObject => ({
      contentType: "multipart/form-data",
      properties: { meta: "meta" },
      encoding: { meta: { contentType } },
    });
    for (const type of ["application/xml", "application/x-yaml", "image/svg+xml"])
      expect(() => prepare(transport, action(body(type)), { meta: { a: 1 } }, target)).to.throw(
        CallError,
        `the part meta is ${type}`,
      );
    for (const type of [
      "application/json",
      "application/json; charset=utf-8",
      "application/hal+json",
      "text/plain",
      "image/*",
    ])
      expect((await sent(body(type), { meta: { a: 1 } })).body.toString()).to.include('{"a":1}');
  });

  it("sends no range as a type, also of documents that name one", async () => {
    for (const contentType of ["*/*", "application/*", "application/*+json"]) {
      const request = await sent({ contentType, properties: { a: "a" } }, { a: "1" });
      expect(request.header("content-type")).to.equal("application/json");
      expect(request.body.toString()).to.equal('{"a":"1"}');
    }
    const bytes = { body: { type: "string", format: "binary" } };
    const image = { body: "data:image/gif;base64,R0lG" };
    const sentBytes = await sent({ contentType: "application/*", argument: "body" }, image, bytes);
    expect(sentBytes.header("content-type")).to.equal("image/gif");
    expect(sentBytes.body.toString()).to.equal("GIF");
  });

  it("sends no body when an optional one is not given, an empty object when a required one has no fields", async () => {
    const optional = await sent({ contentType: "application/json", properties: { a: "a" } }, {});
    expect(optional.body.length).to.equal(0);
    expect(optional.header("content-type")).to.equal(undefined);
    const required = await sent({ contentType: "application/json", required: true, properties: { a: "a" } }, {});
    expect(required.body.toString()).to.equal("{}");
    const whole = { contentType: "application/json", required: true, argument: "body" };
    expect(() => prepare(transport, action(whole), {}, target)).to.throw("body is missing");
  });

  it("keeps null in JSON: it clears a field", async () => {
    const request = await sent({ contentType: "application/json", properties: { a: "a" } }, { a: null });
    expect(request.body.toString()).to.equal('{"a":null}');
  });

  it("writes form fields with brackets for what is nested, as Stripe reads them", async () => {
    const stripe = { metadata: { style: "deepObject", explode: true }, items: { style: "deepObject", explode: true } };
    expect(
      await form(
        { email: "a+b@example.com", metadata: { tier: "gold" }, items: [{ price: "p_1", quantity: 2 }] },
        stripe,
      ),
    ).to.equal(
      "email=a%2Bb%40example.com&metadata%5Btier%5D=gold&items%5B0%5D%5Bprice%5D=p_1&items%5B0%5D%5Bquantity%5D=2",
    );
    expect(await form({ a: { b: { c: 1 } }, l: [{ x: 1 }] })).to.equal("a%5Bb%5D%5Bc%5D=1&l%5B0%5D%5Bx%5D=1");
  });

  it("writes form fields by their encoding, plain lists by repeating the name", async () => {
    expect(await form({ l: ["a", "b c"], n: 1, t: true, e: "", none: null })).to.equal("l=a&l=b%20c&n=1&t=true&e=");
    expect(await form({ l: ["a", "b"] }, { l: { style: "form", explode: false } })).to.equal("l=a,b");
    expect(await form({ l: ["a", "b"] }, { l: { style: "pipeDelimited" } })).to.equal("l=a%7Cb");
    expect(await form({ o: { a: [1] } }, { o: { contentType: "application/json" } })).to.equal(
      "o=%7B%22a%22%3A%5B1%5D%7D",
    );
    expect(await form({ u: "a/b&c" }, { u: { allowReserved: true } })).to.equal("u=a/b%26c");
    const whole = await sent({ contentType: FORM, argument: "body" }, { body: { a: { b: 1 } } });
    expect(whole.body.toString()).to.equal("a%5Bb%5D=1");
  });

  it("writes multipart parts: texts plainly, objects as JSON, lists as parts of one name, bytes as files", async () => {
    const body = {
      contentType: "multipart/form-data",
      properties: { name: "name", meta: "meta", tags: "tags", file: "file" },
      encoding: { meta: { contentType: "application/vnd.x+json" } },
    };
    const properties = { file: { type: "string", format: "binary" } };
    const args = { name: 'quo"te\r\n', meta: { a: 1 }, tags: ["x", "y"], file: "data:image/png;base64,iVBORw==" };
    const request = await sent(body, args, properties);
    const boundary = /^multipart\/form-data; boundary=(agentd-[0-9a-f]{36})$/.exec(
      request.header("content-type") ?? "",
    )?.[1];
    const head = (name: string): string => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`;
    expect(request.body.toString("latin1")).to.equal(
      `${head("name")}\r\n\r\nquo"te\r\n\r\n` +
        `${head("meta")}\r\nContent-Type: application/vnd.x+json\r\n\r\n{"a":1}\r\n` +
        `${head("tags")}\r\n\r\nx\r\n${head("tags")}\r\n\r\ny\r\n` +
        `${head("file")}; filename="file"\r\nContent-Type: image/png\r\n\r\n\x89PNG\r\n` +
        `--${boundary}--\r\n`,
    );
  });

  it("writes a text that goes as JSON as JSON, unless it is an object or a list of it already", async () => {
    const values = { a: "word", b: '{"x":1}', c: "{x", d: "12" };
    const encoding = Object.fromEntries(Object.keys(values).map((name) => [name, { contentType: "application/json" }]));
    const properties = Object.fromEntries(Object.keys(values).map((name) => [name, name]));
    const written = ['"word"', '{"x":1}', '"{x"', '"12"'];
    const parts = await sent({ contentType: "multipart/form-data", properties, encoding }, values);
    const bodies = [...parts.body.toString().matchAll(/application\/json\r\n\r\n(.*)\r\n/g)].map(([, text]) => text);
    expect(bodies).to.deep.equal(written);
    const form = await sent({ contentType: "application/x-www-form-urlencoded", properties, encoding }, values);
    expect([...new URLSearchParams(form.body.toString()).values()]).to.deep.equal(written);
  });

  it("cannot be made to add a part by a field's name", async () => {
    const body = { contentType: "multipart/form-data", additional: true };
    const request = await sent(body, { 'a"\r\nX-Evil: 1\r\n\r\nx': "1" });
    expect(request.body.toString()).to.contain('name="a%22%0D%0AX-Evil: 1%0D%0A%0D%0Ax"');
  });

  it("uploads a file by its path only where that is allowed", async () => {
    const file = join(folder, "report.csv");
    await writeFile(file, "a,b\n1,2\n");
    const body = { contentType: "multipart/form-data", properties: { file: "file" } };
    const properties = { file: { $ref: "#/$defs/File" } };
    const upload = action(body, properties);
    upload.parameters["$defs"] = { File: { type: "string", format: "binary" } };
    expect(() => prepare(transport, upload, { file: `file:${file}` }, target)).to.throw(
      /uploading a file by its path is off.*"allow_files": true.*config\.json/,
    );
    const allowed = { ...target, allowFiles: true };
    await send(transport, upload, { file: `file:${file}` }, allowed);
    const text = server.requests.at(-1)?.body.toString() ?? "";
    expect(text).to.contain('name="file"; filename="report.csv"').and.to.contain("a,b\n1,2\n");
    expect(text).not.to.contain(folder);
    const count = server.requests.length;
    const outcome = await send(transport, upload, { file: `file:${folder}/none` }, allowed);
    expect(objectIn(outcome)["error"]).to.equal("file_unreadable");
    expect(objectIn(await send(transport, upload, { file: `file:${folder}` }, allowed))["error"]).to.equal(
      "file_unreadable",
    );
    expect(server.requests.length).to.equal(count);
  });

  it("refuses a bare path of a file where uploads are allowed, and sends other text as it is", async () => {
    const file = join(folder, "bare.bin");
    await writeFile(file, "bytes");
    const allowed = { ...target, allowFiles: true };
    const multipart = action(
      { contentType: "multipart/form-data", properties: { files: "files" } },
      { files: { type: "array", items: { type: "string", format: "binary" } } },
    );
    const whole = action({ contentType: "application/octet-stream", argument: "body" }, {});
    const meant = `${file} is a file of this machine; write file:${file} to upload it`;
    expect(() => prepare(transport, multipart, { files: ["x", file] }, allowed)).to.throw(CallError, meant);
    expect(() => prepare(transport, whole, { body: file }, allowed)).to.throw(CallError, meant);
    for (const text of [`${file}.none`, folder, "bare.bin", "/", `/${"x".repeat(5000)}`, "/a\0b"]) {
      await send(transport, whole, { body: text }, allowed);
      expect(server.requests.at(-1)?.body.toString()).to.equal(text);
    }
    await send(transport, whole, { body: file }, target);
    expect(server.requests.at(-1)?.body.toString()).to.equal(file);
  });

  it("sends a file with the type that its name tells where the description leaves it open", async () => {
    const file = join(folder, "photo.JPG");
    await writeFile(file, "pixels");
    const allowed = { ...target, allowFiles: true };
    await send(transport, action({ contentType: "image/*", argument: "body" }), { body: `file:${file}` }, allowed);
    expect(server.requests.at(-1)?.header("content-type")).to.equal("image/jpeg");
    const bytes = { type: "string", format: "binary" };
    const typed = { b: { contentType: "application/x-raw" }, c: { contentType: "image/png, image/jpeg" } };
    const properties = { a: "a", b: "b", c: "c", d: "d" };
    const multipart = action(
      { contentType: "multipart/form-data", properties, encoding: typed },
      { a: bytes, b: bytes, c: bytes, d: { type: "string", contentEncoding: "binary" } },
    );
    const all = Object.fromEntries(Object.keys(properties).map((name) => [name, `file:${file}`]));
    await send(transport, multipart, all, allowed);
    const parts = server.requests.at(-1)?.body.toString() ?? "";
    expect(parts.match(/(?:filename|Content-Type).*/g)).to.deep.equal([
      'filename="photo.JPG"',
      "Content-Type: image/jpeg",
      'filename="photo.JPG"',
      "Content-Type: application/x-raw",
      'filename="photo.JPG"',
      "Content-Type: image/jpeg",
      'filename="photo.JPG"',
      "Content-Type: image/jpeg",
    ]);
  });

  it("sends text and bytes as they are", async () => {
    const text = await sent({ contentType: "text/plain", argument: "body" }, { body: "žluť\n" });
    expect(text.body.toString()).to.equal("žluť\n");
    expect(text.header("content-type")).to.equal("text/plain; charset=utf-8");
    const xml = await sent({ contentType: "application/xml", argument: "body" }, { body: "<a/>" });
    expect(xml.body.toString()).to.equal("<a/>");
    const bytes = await sent(
      { contentType: "application/octet-stream", argument: "body" },
      { body: "data:;base64,AP8=" },
    );
    expect([...bytes.body]).to.deep.equal([0, 255]);
    const image = await sent({ contentType: "image/*", argument: "body" }, { body: "data:image/gif;base64,R0lG" });
    expect(image.header("content-type")).to.equal("image/gif");
    expect(() =>
      prepare(transport, action({ contentType: "image/*", argument: "body" }), { body: "pixels" }, target),
    ).to.throw(CallError, "data:image/TYPE;base64,…");
    expect(() =>
      prepare(transport, action({ contentType: "image/png", argument: "body" }), { body: {} }, target),
    ).to.throw("image/png");
  });
});
