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
    expect((await sent("application/xml")).parameters).to.have.deep.nested.property("properties.body", {
      type: "string",
      description: "The text of the body, as application/xml.",
    });
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
