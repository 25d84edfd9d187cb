// What a body requires beyond the properties it lists reaches the tool: found by sending every operation of real descriptions.
import { expect } from "chai";
import type { JsonObject } from "../../../../src/lib/json.js";
import { body, compile, imported, openapi } from "./imported.js";

const put = (requestBody: JsonObject, parameters: JsonObject[] = []): JsonObject =>
  openapi({ "/hooks/{id}": { put: { operationId: "update_hook", parameters, requestBody } } });
const text: JsonObject = { type: "string" };

describe("agentd sync openapi: what bodies require", () => {
  it("requires a member that the body requires and does not describe", async () => {
    const { action } = await imported(
      put(body({ type: "object", properties: { url: text }, required: ["url", "team_id"] })),
    );
    const { parameters, transport } = action("update_hook");
    expect(parameters["required"]).to.have.members(["id", "url", "team_id"]);
    expect(transport).to.have.deep.nested.property("body.properties", { url: "url", team_id: "team_id" });
  });

  it("is sent as the thing itself where a patch may be a list of steps, too, and says what text is XML", async () => {
    const schema = { type: "object", properties: { url: text } };
    const types = (...all: string[]) => ({ content: Object.fromEntries(all.map((type) => [type, { schema }])) });
    const sent = async (...all: string[]) => (await imported(put(types(...all)))).action("update_hook");
    const patches = ["application/json-patch+json", "application/merge-patch+json"];
    expect((await sent(...patches)).transport).to.have.nested.property("body.contentType", patches[1]);
    expect((await sent("text/plain", "application/json-patch+json")).transport).to.have.nested.property(
      "body.contentType",
      "application/json-patch+json",
    );
  });

  it("shows what a body of XML looks like, by its example or the elements and attributes of its schema", async () => {
    const described = async (schema: JsonObject, rest: JsonObject = {}): Promise<unknown> => {
      const Pet = {
        type: "object",
        xml: { name: "pet", prefix: "p" },
        properties: {
          id: { type: "integer", xml: { attribute: true } },
          created: { type: "string", readOnly: true },
          name: { type: "string", xml: { name: "title" } },
          state: { enum: ["new", "sold"] },
          tag: { type: "array", items: { type: "string" } },
          photos: { type: "array", xml: { wrapped: true }, items: { type: "string", xml: { name: "photo" } } },
        },
      };
      const { action } = await imported({
        ...put(body(schema, "application/xml", rest)),
        components: {
          schemas: {
            Pet,
            Item: { type: "object", properties: { a: text, next: { $ref: "#/components/schemas/Item" } } },
          },
        },
      });
      return (action("update_hook").parameters["properties"] as JsonObject)["body"];
    };
    const note = (shown: string) => ({
      type: "string",
      description: `Text, as application/xml${shown}.`,
    });
    expect(await described({ $ref: "#/components/schemas/Pet" })).to.deep.equal(
      note(
        ', like <p:pet id="integer"><title>string</title><state>new|sold</state><tag>string</tag>…<photos><photo>string</photo>…</photos></p:pet>',
      ),
    );
    expect(await described({ $ref: "#/components/schemas/Pet" }, { example: "<pet id='1'/>" })).to.deep.equal(
      note(", like <pet id='1'/>"),
    );
    expect(await described({})).to.deep.equal(note(""));
    expect(await described({ $ref: "#/components/schemas/Item" }))
      .to.have.property("description")
      .that.contains("like <Item><a>string</a><next>");
    expect(await described({ type: "string", description: "An order." })).to.deep.equal({
      type: "string",
      description: "An order. Text, as application/xml.",
    });
  });

  it("keeps what a schema says of a text", async () => {
    const state = { type: "string", enum: ["ON", "OFF"], description: "The state." };
    const parameters = async (schema: JsonObject, type: string): Promise<unknown> =>
      ((await imported(put(body(schema, type)))).action("update_hook").parameters["properties"] as JsonObject)["body"];
    expect(await parameters(state, "text/plain")).to.deep.equal(state);
    expect(await parameters({ type: "integer", maximum: 9 }, "text/plain")).to.deep.equal({
      type: "integer",
      maximum: 9,
    });
    expect(await parameters({ type: "string", pattern: "^a" }, "text/csv")).to.deep.equal({
      type: "string",
      pattern: "^a",
    });
    expect(await parameters({ type: "string", format: "binary" }, "text/csv")).to.deep.equal({ type: "string" });
    expect(await parameters({ type: "object", properties: { url: text } }, "text/plain")).to.deep.equal({
      type: "string",
    });
  });

  it("is JSON under every name for it, and is sent as something concrete where only a range is described", async () => {
    const object = { type: "object", properties: { url: text }, required: ["url"] };
    const bytes = { type: "string", format: "binary" };
    const sent = async (content: Record<string, JsonObject>): Promise<unknown[]> => {
      const media = Object.entries(content).map(([type, schema]) => [type, { schema }]);
      const { action } = await imported(put({ required: true, content: Object.fromEntries(media) }));
      const { parameters, transport } = action("update_hook");
      return [(transport["body"] as JsonObject)["contentType"], parameters["required"]];
    };
    const asMembers = ["id", "url"];
    const asWhole = ["id", "body"];
    for (const type of ["text/json", "text/x+json", "application/json; v=1.0", "application/vnd.a+json;q=1"])
      expect(await sent({ [type]: object })).to.deep.equal([type, asMembers]);
    for (const range of ["*/*", "application/*", "application/*+json"])
      expect(await sent({ [range]: object })).to.deep.equal(["application/json", asMembers]);
    for (const range of ["*/*", "application/*"])
      expect(await sent({ [range]: bytes })).to.deep.equal(["application/octet-stream", asWhole]);
    expect(await sent({ "application/*+json": object, "multipart/form-data": object })).to.deep.equal([
      "multipart/form-data",
      asMembers,
    ]);
    expect(await sent({ "*/*": object, "application/*+json": object, "text/json": object })).to.deep.equal([
      "text/json",
      asMembers,
    ]);
    expect(await sent({ "multipart/*": object })).to.deep.equal(["multipart/form-data", asMembers]);
    expect(await sent({ "image/*": bytes })).to.deep.equal(["image/*", asWhole]);
  });

  it("requires what an optional body requires once any member of it is given", async () => {
    const schema = { type: "object", properties: { a: text, b: text, c: text }, required: ["a", "b", "gone"] };
    const requestBody = { content: { "application/json": { schema } } };
    const { action } = await imported(put(requestBody, [{ name: "q", in: "query", schema: text }]));
    const fits = compile(action("update_hook"));
    const whole = { a: "1", b: "2", gone: "3" };
    for (const given of [{}, { q: "1" }, whole, { ...whole, c: "3" }])
      expect(fits({ id: "7", ...given }), JSON.stringify(given)).to.equal(true);
    for (const given of [{ a: "1" }, { c: "1" }, { a: "1", b: "2" }, { q: "1", c: "1" }])
      expect(fits({ id: "7", ...given }), JSON.stringify(given)).to.equal(false);
    const free = { content: { "application/json": { schema: { type: "object", properties: { a: text } } } } };
    expect((await imported(put(free))).action("update_hook").parameters).to.not.have.property("dependentRequired");
  });

  it("uses the schema of other members for it, and requires none where no others are allowed", async () => {
    const schema = { type: "object", properties: { url: text }, required: ["team_id"] };
    const open = await imported(put(body({ ...schema, additionalProperties: { type: "integer" } })));
    expect(open.action("update_hook").parameters).to.have.deep.nested.property("properties.team_id", {
      type: "integer",
    });
    const closed = await imported(put(body({ ...schema, additionalProperties: false })));
    expect(closed.action("update_hook").parameters).to.not.have.nested.property("properties.team_id");
  });

  it("takes a member of an inner object that is required and forbidden at once, and does not insist on it", async () => {
    const inner = {
      type: "object",
      properties: { url: text },
      required: ["url", "team_id"],
      additionalProperties: false,
    };
    const { action } = await imported(put(body({ type: "object", properties: { hook: inner } })));
    const fits = compile(action("update_hook"));
    for (const hook of [{ url: "u" }, { url: "u", team_id: 1 }]) expect(fits({ id: "7", hook })).to.equal(true);
    for (const hook of [{ team_id: 1 }, { url: "u", typo: 1 }]) expect(fits({ id: "7", hook })).to.equal(false);
  });

  it("requires as many members as the body must have at least", async () => {
    const page = { name: "page", in: "query", schema: { type: "integer" } };
    const least = { type: "object", properties: { a: text, b: text }, minProperties: 1 };
    const { action } = await imported(put(body(least), [page]));
    const fits = compile(action("update_hook"));
    expect(fits({ id: "7" })).to.equal(false);
    expect(fits({ id: "7", b: "x" })).to.equal(true);
    const optional = await imported(put({ ...body(least), required: false }, [page]));
    expect(compile(optional.action("update_hook"))({ id: "7" })).to.equal(true);
  });

  it("hides a member that any part of its allOf declares readOnly", async () => {
    const workspace: JsonObject = {
      allOf: [
        { type: "object", properties: { gid: text } },
        { type: "object", readOnly: true },
      ],
    };
    const { action } = await imported(put(body({ type: "object", properties: { name: text, workspace } })));
    expect(action("update_hook").parameters["properties"]).to.have.all.keys("id", "name");
  });

  it("describes how an argument that takes bytes is written, and only there", async () => {
    const bytes: JsonObject = { type: "string", format: "binary" };
    const schema: JsonObject = {
      type: "object",
      properties: {
        name: text,
        plain: bytes,
        newer: { type: "string", contentMediaType: "image/png", description: "The picture" },
        list: { type: "array", items: { $ref: "#/components/schemas/File" } },
        long: { ...bytes, description: "word ".repeat(400) },
      },
    };
    const document = (type: string): JsonObject => ({
      ...put({ required: true, content: { [type]: { schema } } }),
      components: { schemas: { File: bytes } },
    });
    const descriptions = async (type: string): Promise<Record<string, string>> => {
      const { action } = await imported(document(type));
      const properties = action("update_hook").parameters["properties"] as Record<string, { description?: string }>;
      return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, one.description ?? ""]));
    };
    const form = await descriptions("multipart/form-data");
    for (const name of ["plain", "newer", "list", "long"]) {
      expect(form[name], name).to.include("file:/absolute/path").and.include("data: URL");
      expect(form[name]?.length, name).to.be.at.most(600);
    }
    expect(form["newer"]).to.match(/^The picture\. Bytes: /);
    expect(form["name"]).to.equal("");
    expect((await descriptions("application/json"))["plain"]).to.equal("");
    const whole = await imported(put({ description: "The file", content: { "application/octet-stream": {} } }));
    expect(whole.action("update_hook").parameters)
      .to.have.nested.property("properties.body.description")
      .which.matches(/^The file\. Bytes: .*file:\/absolute\/path/);
  });
});
