// Whether the MCP server of an application answers and its tools are what they were at the last sync: it is started or asked, and
// lists them. None is called.
import type { Target } from "../../applications/transport.js";
import type { Settings } from "../../config/settings.js";
import { messageOf } from "../../domain/error.js";
import type { Action } from "../../domain/schema-document.js";
import type { Log } from "../../lib/log.js";
import type { Redactor } from "../../lib/redact/redact.js";
import { type Check, failed, ok, warned } from "./check.js";

/** Asks the server of a target for its tools; `actions` are those of its application. */
export async function checkServer(
  check: string,
  {
    actions,
    target,
    settings,
    redactor,
    log,
  }: { actions: readonly Action[]; target: Target; settings: Settings; redactor: Redactor; log: Log },
): Promise<Check> {
  const again = `agentd sync${target.application === "" ? "" : ` --name ${target.application}`}`;
  const { inspectServer } = await import("../../applications/mcp/inspect.js");
  try {
    const context = { redact: redactor, dataDir: settings.dataDir, log };
    const { changed, added } = await inspectServer(target, actions, context);
    const answers = `${actions.length} tools; ${target.baseUrl} answers`;
    if (changed.length > 0)
      return failed(
        check,
        `${answers}, and has changed ${changed.slice(0, 5).join(", ")}: refused until then`,
        `${again} shows what is different`,
      );
    if (added.length > 0) return warned(check, `${answers}, and has ${added.length} more`, `${again} takes them over`);
    return ok(check, answers);
  } catch (error) {
    const message = redactor.text(messageOf(error));
    return failed(
      check,
      `${target.baseUrl}: ${message}`,
      `see that it is there, or give agentd sync mcp its command or address again`,
    );
  }
}
