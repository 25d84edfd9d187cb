// What the OpenAPI document describes of the routes about the daemon itself: what is in force, and how it is doing.
import { answersJson, answersNothing, answersText, type RouteDescription } from "./route-description.js";
import { arrayOf, schemaRef } from "./schemas.js";

/** Those operations by `method /path`. */
export const OPERATOR_OPERATIONS: Record<string, RouteDescription> = {
  "get /config/public": {
    operationId: "getPublicConfig",
    tag: "operation",
    summary: "The configuration, without secrets",
    success: answersJson("The configuration.", schemaRef("PublicConfig")),
  },
  "get /-/providers": {
    operationId: "listProviders",
    tag: "operation",
    summary: "The providers and models that a prompt may choose, the default first",
    success: answersJson("The providers.", arrayOf("OfferedProvider")),
  },
  "get /-/settings": {
    operationId: "getSettings",
    tag: "operation",
    summary: "What is in force and where it comes from, for an operator: no secret, and for a read-only token no path",
    success: answersJson("What is in force.", schemaRef("Settings")),
  },
  "get /-/healthz": {
    operationId: "getHealth",
    tag: "operation",
    summary: "Whether the daemon is alive",
    isOpen: true,
    success: answersText("ok"),
  },
  "get /-/readyz": {
    operationId: "getReadiness",
    tag: "operation",
    summary: "Whether the daemon accepts prompts",
    isOpen: true,
    success: answersText("ok"),
  },
  "get /-/status": {
    operationId: "getStatus",
    tag: "operation",
    summary: "How this daemon is doing",
    success: answersJson("Its status.", schemaRef("Status")),
  },
  "get /-/openapi.json": {
    operationId: "getOpenApi",
    tag: "operation",
    summary: "This document",
    success: answersJson("The document.", { type: "object" }),
  },
  "get /-/metrics": {
    operationId: "getMetrics",
    tag: "operation",
    summary: "Metrics in the Prometheus text format",
    success: answersText("The samples."),
  },
  "post /-/signin": {
    operationId: "signIn",
    tag: "operation",
    summary: "Let this browser load the web UI's files",
    success: answersNothing("The cookie is set."),
  },
};
