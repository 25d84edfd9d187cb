// Forms, files and streams, from the description to the bytes that arrive; multipart bodies are read by the parser of the platform.
// Source: Swagger 2.0, Parameter Object, collectionFormat; OpenAPI 3.0.3 and 3.1.1, Encoding Object; OpenAPI 3.2, Sequential Media Types.
import { expect } from "chai";
import { createHttpTransport } from "../../../../src/applications/http/transport.js";
import type { JsonObject, JsonValue } from "../../../../src/lib/json.js";
import { send, targetAt } from "../../../support/http.js";
import { type RecordedRequest, type RecordingTarget, startTarget } from "../../../support/target.js";
import { imported, openapi } from "./imported.js";

const MULTIPART = "multipart/form-data";
const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const text = { type: "string" };
const texts = { type: "array", items: text };

describe("agentd sync openapi: forms, files and streams", () => {
  let server: RecordingTarget;
  const transport = createHttpTransport();
  before(async () => {
    server = await startTarget();
  });
  after(async () => {
    await transport.close?.();
    await server.close();
  });

  async function sent(description: JsonObject, args: JsonObject): Promise<RecordedRequest> {
    const { action } = await imported(description);
    await send(transport, action("x"), args, targetAt(server.url));
    const request = server.requests.at(-1);
    if (!request) throw new Error("nothing arrived");
    return request;
  }
  const typeOf = (request: RecordedRequest): string => request.header("content-type") ?? "";
  const read = (request: RecordedRequest): Promise<FormData> =>
    new Response(new Uint8Array(request.body), { headers: { "content-type": typeOf(request) } }).formData();
  const post = (content: JsonObject, rest: JsonObject = {}): JsonObject =>
    openapi({ "/x": { post: { operationId: "x", requestBody: { required: true, content } } } }, rest);
  const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
    type: "object",
    properties,
    required,
  });

  for (const [where, shown] of Object.entries<JsonObject>({
    example: { example: "plot=7&crop=leek" },
    "first of its examples": { examples: { usual: { value: "plot=7&crop=leek" }, other: { value: "plot=1" } } },
  }))
    it(`shows the ${where} of a form that is described as one text, which alone has its names`, async () => {
      const { action } = await imported(post({ [FORM]: { schema: text, ...shown } }));
      const { body } = action("x").parameters["properties"] as { body: JsonObject };
      expect(body).to.deep.include({ type: "string", examples: ["plot=7&crop=leek"] });
    });

  it("shows no example of such a form that is no text, longer than it, or told in the schema", async () => {
    const schema = { ...text, example: "plot=2" };
    const contents: [JsonObject, JsonValue | undefined][] = [
      [{ schema: text, example: { plot: 7 } }, undefined],
      [{ schema: text, example: "a".repeat(400) }, undefined],
      [{ schema: text, examples: { usual: { $ref: "#/components/examples/missing" } } }, undefined],
      [{ schema, example: "plot=7" }, ["plot=2"]],
    ];
    for (const [content, examples] of contents) {
      const { action } = await imported(post({ [FORM]: content }));
      const { body } = action("x").parameters["properties"] as { body: JsonObject };
      expect(body["examples"]).to.deep.equal(examples);
    }
  });

  const FORMATS: Record<string, string[]> = {
    csv: ["a,b c"],
    ssv: ["a b c"],
    tsv: ["a\tb c"],
    pipes: ["a|b c"],
    multi: ["a", "b c"],
  };
  for (const type of [FORM, MULTIPART])
    it(`sends the lists of a Swagger 2.0 form in ${type} by their collectionFormat`, async () => {
      const field = (name: string, collectionFormat?: string): JsonObject => ({
        name,
        in: "formData",
        ...texts,
        ...(collectionFormat && { collectionFormat }),
      });
      const parameters = [...Object.keys(FORMATS).map((one) => field(one, one)), field("none")];
      const operation = { operationId: "x", consumes: [type], parameters };
      const args = Object.fromEntries(parameters.map(({ name }) => [String(name), ["a", "b c"]]));
      const form = await read(await sent({ swagger: "2.0", paths: { "/x": { post: operation } } }, args));
      for (const [name, values] of Object.entries({ ...FORMATS, none: ["a,b c"] }))
        expect(form.getAll(name), name).to.deep.equal(values);
    });

  it("writes parts in the style of their encoding from 3.1 on; 3.0 has none there", async () => {
    const schema = object({ csv: texts, piped: texts, deep: object({ a: text, b: text }), plain: texts });
    const encoding = {
      csv: { explode: false },
      piped: { style: "pipeDelimited", explode: false },
      deep: { style: "deepObject" },
    };
    const args = { csv: ["a", "b"], piped: ["a", "b"], deep: { a: "1", b: "2" }, plain: ["a", "b"] };
    const content = { [MULTIPART]: { schema, encoding } };
    const styled = [...(await read(await sent(post(content), args)))];
    expect(styled).to.deep.equal([
      ["csv", "a,b"],
      ["piped", "a|b"],
      ["deep[a]", "1"],
      ["deep[b]", "2"],
      ["plain", "a"],
      ["plain", "b"],
    ]);
    const old = await read(await sent(post(content, { openapi: "3.0.3" }), args));
    expect([old.getAll("csv"), old.getAll("piped")]).to.deep.equal([
      ["a", "b"],
      ["a", "b"],
    ]);
  });

  const file = { type: "string", format: "binary" };
  const both = (json: JsonObject, form = json, other = JSON_TYPE): JsonObject => ({
    [other]: { schema: json },
    [MULTIPART]: { schema: form },
  });
  const note = { note: text };
  const CHOICES: [what: string, content: JsonObject, type: string, openapi?: string][] = [
    ["format: binary", both(object({ ...note, f: file })), MULTIPART, "3.0.3"],
    ["contentMediaType", both(object({ ...note, f: { type: "string", contentMediaType: "image/png" } })), MULTIPART],
    ["contentEncoding", both(object({ ...note, f: { type: "string", contentEncoding: "base64" } })), MULTIPART],
    ["a list of files", both(object({ ...note, f: { type: "array", items: file } })), MULTIPART],
    ["a file in a part of it", both({ allOf: [object(note), object({ f: file })] }), MULTIPART],
    ["a file, offered as a plain form, too", both(object({ ...note, f: file }), undefined, FORM), MULTIPART],
    ["a file that the form alone has", both(object(note), object({ ...note, f: file })), MULTIPART],
    ["a file that the form alone has and requires", both(object(note), object({ ...note, f: file }, ["f"])), JSON_TYPE],
    [
      "a file in place of another member",
      both(object({ ...note, url: text }), object({ ...note, f: file })),
      JSON_TYPE,
    ],
    ["no file", both(object(note)), JSON_TYPE],
    ["a file, offered as JSON alone", { [JSON_TYPE]: { schema: object({ ...note, f: file }) } }, JSON_TYPE],
  ];
  for (const [what, content, type, version = "3.1.0"] of CHOICES)
    it(`sends a body with ${what} as ${type}`, async () => {
      const request = await sent(post(content, { openapi: version }), { note: "hello" });
      expect(typeOf(request)).to.satisfy((one: string) => one.startsWith(type));
      if (type === MULTIPART) expect((await read(request)).get("note")).to.equal("hello");
      else expect(JSON.parse(request.body.toString())).to.deep.equal({ note: "hello" });
    });

  it("says so where a file cannot be sent", async () => {
    const { report } = await imported(post(both(object(note), object({ ...note, f: file }, ["f"]))));
    expect(report.warnings.join("\n")).to.include("POST /x takes files as multipart/form-data");
  });

  it("gives the files of one field names of their own, and each its media type", async () => {
    const png = { type: "string", contentMediaType: "image/png" };
    const schema = object({ f: { type: "array", items: png }, one: png });
    const args = { f: ["data:;base64,iVBORw==", "b", "data:image/gif;base64,R0lG"], one: "c" };
    const form = await read(await sent(post({ [MULTIPART]: { schema } }), args));
    const files = form.getAll("f") as File[];
    expect(new Set(files.map(({ name }) => name)).size).to.equal(3);
    expect(files.map(({ type }) => type)).to.deep.equal(["image/png", "image/png", "image/gif"]);
    expect((form.get("one") as File).name).to.equal("one");
  });

  it("sends a file that has no name as the part file, and says so", async () => {
    const schemas: JsonObject[] = [file, { format: "binary" }, { type: "array", items: file }];
    for (const schema of schemas) {
      const description = post({ [MULTIPART]: { schema } });
      const form = await read(await sent(description, { file: "items" in schema ? ["a"] : "a" }));
      expect(await (form.get("file") as File).text()).to.equal("a");
      const { report } = await imported(description);
      expect(report.warnings.join("\n")).to.include("POST /x takes a file as multipart/form-data without a name");
    }
  });

  it("skips a form that has no names for its fields, with the reason", async () => {
    const other = { "/y": { get: { operationId: "y" } } };
    for (const [type, schema] of [
      [MULTIPART, text],
      [MULTIPART, texts],
      [FORM, texts],
    ] satisfies [string, JsonObject][]) {
      const post = { operationId: "x", requestBody: { content: { [type]: { schema } } } };
      const { report, names } = await imported(openapi({ "/x": { post }, ...other }));
      expect(names).to.deep.equal(["y"]);
      expect(report.skipped).to.deep.equal([
        { operation: "POST /x", reason: `a body of ${type} that is no object has no names for its fields` },
      ]);
    }
  });

  it("sends a form that is described as a text as that text", async () => {
    const description = post({ [FORM]: { schema: text } });
    expect((await imported(description)).action("x").parameters).to.have.nested.property(
      "properties.body.type",
      "string",
    );
    const request = await sent(description, { body: "text=I%20like&n=1" });
    expect([typeOf(request), request.body.toString()]).to.deep.equal([FORM, "text=I%20like&n=1"]);
    const { action } = await imported(description);
    const override = async () => send(transport, action("x"), { body: "a=1&%5Fmethod=DELETE" }, targetAt(server.url));
    expect(await override().catch(({ message }: Error) => message)).to.include("another method");
  });

  it("sends another type where the form has no names for its fields", async () => {
    const ids = { type: "array", items: text };
    const list = await sent(post({ [MULTIPART]: { schema: ids }, "*/*": { schema: ids } }), { body: ["a"] });
    expect([typeOf(list), list.body.toString()]).to.deep.equal([JSON_TYPE, '["a"]']);
    const bytes = "application/octet-stream";
    const raw = await sent(post({ [MULTIPART]: { schema: file }, [bytes]: { schema: file } }), { body: "a" });
    expect([typeOf(raw), raw.body.toString()]).to.deep.equal([bytes, "a"]);
  });

  it("takes an object for a form that may be anything; a file in it is one by what it is", async () => {
    const schemas: JsonObject[] = [{}, { type: "object" }, { additionalProperties: true }];
    for (const media of [{}, ...schemas.map((schema): JsonObject => ({ schema }))]) {
      const { action } = await imported(post({ [MULTIPART]: media }));
      expect(action("x").parameters["properties"]).to.have.nested.property("body.type", "object");
      const body = { f: "data:image/png;base64,iVBORw==", note: "data:a;b", list: ["data:;base64,YQ==", "b"] };
      const form = await read(await sent(post({ [MULTIPART]: media }), { body }));
      expect((form.get("f") as File).type).to.equal("image/png");
      expect(form.get("note")).to.equal("data:a;b");
      expect(form.getAll("list").map((one) => one instanceof File)).to.deep.equal([true, true]);
    }
  });

  it("says of a part that it is bytes in letters", async () => {
    const schema = object({ f: { type: "string", contentEncoding: "base64", contentMediaType: "image/png" } });
    const request = await sent(post({ [MULTIPART]: { schema } }), { f: "iVBORw==" });
    expect(request.body.toString()).to.include(
      'name="f"\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw==\r\n',
    );
  });

  it("takes a part of XML as a text, and names the headers of parts, which are not sent", async () => {
    const address = object({ street: text, zip: text });
    const headers = { "X-Rate": { schema: { type: "integer" } }, "Content-Type": { schema: text } };
    const encoding = { meta: { contentType: "application/xml" }, photo: { contentType: "image/png", headers } };
    const description = post({ [MULTIPART]: { schema: object({ meta: address, photo: file }), encoding } });
    const { action, report } = await imported(description);
    expect((action("x").parameters["properties"] as JsonObject)["meta"]).to.deep.equal({
      type: "string",
      description: "Text, as application/xml, like <root><street>string</street><zip>string</zip></root>.",
    });
    expect(report.warnings).to.include("POST /x: the headers of its part photo are not sent: X-Rate.");
    const request = await sent(description, { meta: "<meta/>", photo: "data:image/png;base64,iVBORw==" });
    expect(request.body.toString()).to.include('name="meta"\r\nContent-Type: application/xml\r\n\r\n<meta/>\r\n');
  });

  const item = object({ n: { type: "integer" } }, ["n"]);
  const STREAMS: [type: string, bytes: string][] = [
    ["application/jsonl", '{"n":1}\n{"n":2}\n'],
    ["application/x-ndjson", '{"n":1}\n{"n":2}\n'],
    ["application/json-seq", '\u001e{"n":1}\n\u001e{"n":2}\n'],
    ["application/geo+json-seq", '\u001e{"n":1}\n\u001e{"n":2}\n'],
  ];
  for (const [type, bytes] of STREAMS)
    it(`sends a list as ${type} where the description has an itemSchema`, async () => {
      const request = await sent(post({ [type]: { itemSchema: item } }, { openapi: "3.2.0" }), {
        body: [{ n: 1 }, { n: 2 }],
      });
      expect([typeOf(request), request.body.toString()]).to.deep.equal([type, bytes]);
    });

  it("skips streams that cannot be written, with the reason", async () => {
    const reasonOf = async (type: string, media: JsonObject): Promise<JsonValue> => {
      const description = post({ [type]: media }, { openapi: "3.2.0" });
      (description["paths"] as JsonObject)["/y"] = { get: {} };
      return (await imported(description)).report.skipped[0]?.reason ?? "";
    };
    expect(await reasonOf("text/event-stream", { itemSchema: item })).to.include("text/event-stream");
    expect(await reasonOf("multipart/mixed", { itemSchema: item })).to.include("multipart/mixed");
    expect(await reasonOf("multipart/mixed", { schema: texts, prefixEncoding: [{}] })).to.include("in place of names");
  });
});
