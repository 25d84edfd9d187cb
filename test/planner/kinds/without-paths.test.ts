// What the offline planner says of tools that are no requests to a path: of GraphQL endpoints and MCP servers.
import { expect } from "chai";
import type { Tool } from "../../../src/domain/tool.js";
import { createSession, tool } from "../session.js";

describe("The offline planner says", () => {
  const payload = (userErrors: { message: string }[]) => async (): Promise<string> => {
    const create = tool("create_review", "create", "POST /reviews", { stars: { type: "integer" } }, ["stars"]);
    const graphql: Tool = { ...create, resource: "reviews", transport: { kind: "graphql" } };
    const session = createSession([graphql], () => ({ review: userErrors.length > 0 ? null : { id: 1 }, userErrors }));
    return (await session("create a review with stars 9")).text;
  };

  it("that a mutation was answered with errors about its input, not that it was done", async () => {
    const text = await payload([{ message: "stars must be 1 to 5" }])();
    expect(text).to.include("answered with errors").and.include("stars must be 1 to 5").and.not.include("Created");
    expect(await payload([])()).to.match(/^Created review/);
  });

  it("what is listed where a tool has no path: the records of a GraphQL field, and of an MCP server nothing but results", async () => {
    const listed = async (kind: string, resource: string): Promise<string> => {
      const list: Tool = { ...tool("list_books", "list", "GET /books"), resource, transport: { kind } };
      return (await createSession([list], () => [{ id: 1 }, { id: 2 }])("list books")).text;
    };
    expect(await listed("graphql", "books")).to.match(/^2 books:/);
    expect(await listed("mcp", "secure-library-server")).to.match(/^2 results:/);
  });

  it("why it calls no tool of an MCP server of which nobody has said that it only reads", async () => {
    const list = tool("files_list_directory", "list", "GET /directories");
    const unjudged: Tool = {
      ...list,
      application: "files",
      resource: "directory",
      safety: "destructive",
      provenance: "inferred",
      transport: { kind: "mcp" },
    };
    const ask = async (one: Tool) => createSession([one], () => ({ content: "" }))("list the directory");
    const declined = await ask(unjudged);
    expect(declined.calls).to.deep.equal([]);
    expect(declined.text)
      .to.include("`files_list_directory` counts as destructive")
      .and.include('"trust_annotations": true for files');
    expect((await ask({ ...unjudged, provenance: "declared" })).text).to.not.include("trust_annotations");
  });
});
