// What the OpenAPI document describes of the routes that call tools without a model, save such calls, connect applications and test
// providers.
import type { JsonObject } from "../../lib/json.js";
import { answersJson, answersNothing, BODY_ERRORS, type RouteDescription } from "./route-description.js";
import { arrayOf, type SchemaName, schemaRef } from "./schemas.js";

const created = (description: string, name: SchemaName): Record<string, JsonObject> => ({
  "201": { description, content: { "application/json": { schema: schemaRef(name) } } },
});

/** Of these routes, by `method /path`. */
export const TOOL_OPERATIONS: Record<string, RouteDescription> = {
  "post /-/tools/{name}/call": {
    operationId: "callTool",
    tag: "application",
    summary: "Call a tool without a model, under the same modes, record and confirmation",
    headers: { "X-Session-Id": { description: "The session of the record.", schema: { type: "string" } } },
    body: "ToolCallBody",
    success: {
      ...answersJson(
        "The call was made, refused or not sent in dry_run; its row says the same.",
        schemaRef("ToolCallAnswer"),
      ),
      "202": {
        description: "It waits for a person's yes, and runs when it has one.",
        content: { "application/json": { schema: schemaRef("ToolCallAnswer") } },
      },
    },
    errors: [404, 409, ...BODY_ERRORS],
  },
  "post /-/applications/preview": {
    operationId: "previewApplication",
    tag: "application",
    summary: "Read a description and say what connecting it would import",
    body: "PreviewBody",
    success: answersJson("What it would import; nothing is written.", schemaRef("ApplicationPreview")),
    errors: [409, ...BODY_ERRORS],
  },
  "post /-/applications": {
    operationId: "connectApplication",
    tag: "application",
    summary: "Connect an application as its preview displayed it",
    body: "ConnectBody",
    success: created("It is connected, and its tools can be called.", "ConnectedApplication"),
    errors: [409, ...BODY_ERRORS],
  },
  "get /-/actions": {
    operationId: "listActions",
    tag: "application",
    summary: "Saved actions, pinned ones first",
    success: answersJson("The actions.", arrayOf("SavedAction")),
  },
  "post /-/actions": {
    operationId: "saveAction",
    tag: "application",
    summary: "Save a call to make it again",
    body: "ActionBody",
    success: created("It is saved.", "SavedAction"),
    errors: [409, ...BODY_ERRORS],
  },
  "patch /-/actions/{id}": {
    operationId: "changeAction",
    tag: "application",
    summary: "Change the title, the arguments or the pin of a saved action",
    body: "ActionChangeBody",
    success: answersJson("As changed.", schemaRef("SavedAction")),
    errors: [404, ...BODY_ERRORS],
  },
  "delete /-/actions/{id}": {
    operationId: "deleteAction",
    tag: "application",
    summary: "Delete a saved action",
    success: answersNothing("It is deleted."),
    errors: [404],
  },
  "post /-/providers/{name}/test": {
    operationId: "testProvider",
    tag: "operation",
    summary: "Make one tiny model call to see whether a provider works",
    body: "ProviderTestBody",
    success: answersJson("Whether it does.", schemaRef("ProviderTest")),
    errors: [404, ...BODY_ERRORS],
  },
};
