// The table of routes of a daemon that does nothing, for tests of what the documents say of it.
import type { Agent } from "../../src/domain/agent.js";
import { createAccessRules } from "../../src/server/access/admit.js";
import { createMcpRoutes } from "../../src/server/mcp/route.js";
import { createMetrics } from "../../src/server/metrics/metrics.js";
import type { Route } from "../../src/server/route.js";
import { createRoutes } from "../../src/server/routes.js";
import { createReaders } from "../../src/server/run/readers.js";
import { keptLog } from "./daemon.js";

/** Every route but the web UI. */
export function routeTable(): Route[] {
  const agent = {} as Agent;
  const readers = createReaders();
  const { log } = keptLog();
  return createRoutes({
    agent,
    metrics: createMetrics(),
    sockets: () => 0,
    readers,
    lastError: () => undefined,
    times: {},
    basePath: "",
    rules: createAccessRules({ host: "127.0.0.1" }),
    mcp: createMcpRoutes({ agent, readers, basePath: "", log, redact: (text) => text }).routes,
  });
}
