// Calls that an earlier run of the daemon left in flight and whose database can say what became of them: it is asked in the background,
// so that no start waits for it, and what it cannot say reads `interrupted`.
// Source: docs/reference.md, "Effects".
import { messageOf } from "../domain/error.js";
import { INTERRUPTED } from "../domain/record.js";
import { type JsonObject, toJson } from "../lib/json.js";
import type { CallCompletion, UnsettledCall } from "../store/store.js";
import type { AgentContext } from "./context.js";
import { tellSession } from "./tell-session.js";

/** A database that does not answer for so long is taken for one that cannot say. */
const ASK_MS = 5_000;

const ABORTED: JsonObject = {
  error: "interrupted",
  message: "the daemon ended during this call, and the database says that nothing was done",
};

type Settled = "committed" | "aborted" | undefined;

async function statusOf({ entry, transaction }: UnsettledCall, context: AgentContext): Promise<Settled> {
  const { catalogue, target, transport } = context.contextNow();
  const own = catalogue.action(entry.tool);
  // An undo has a tool of the daemon's own; every tool of an application leads to the same database.
  const action =
    own?.application === entry.application
      ? own
      : catalogue.actions.find(({ application }) => application === entry.application);
  const found = action && (await transport(action.transport.kind));
  return found?.transactionStatus?.(transaction, target(entry.application));
}

function completionOf(status: Settled, { tool, arguments: args, effect }: UnsettledCall["entry"]): CallCompletion {
  if (status === undefined) return { status: "interrupted", result: INTERRUPTED, duration_ms: Number.NaN };
  if (status === "aborted") return { status: "error", result: ABORTED, duration_ms: Number.NaN };
  const message = "the daemon ended before it had the answer; the database says that the change was made";
  const result = { settled: status, message, effect: (effect ?? null) as unknown as JsonObject };
  const { history_id } = args;
  const undoes = tool === "undo" && typeof history_id === "number" ? history_id : undefined;
  return { status: "ok", result, duration_ms: Number.NaN, undoes };
}

/** Starts asking; the function returned ends it and resolves when nothing more is written. */
export function settleCalls(context: AgentContext): () => Promise<void> {
  const { store, log } = context;
  const over = new AbortController();
  const stopped = new Promise<void>((resolve) =>
    over.signal.addEventListener("abort", () => resolve(), { once: true }),
  );
  const settleOne = async (call: UnsettledCall): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ASK_MS)));
    try {
      const status = (await Promise.race([statusOf(call, context), late, stopped])) ?? undefined;
      if (over.signal.aborted) return;
      const completion = completionOf(status, call.entry);
      await store.completeCall(call.entry.id, completion);
      log.info({ history_id: call.entry.id, status: completion.status }, "a call of the last run is settled");
      if (status === undefined) return;
      const said = status === "committed" ? "the change was made" : "nothing was done";
      const { session_id, tool, arguments: args } = call.entry;
      const text = `The daemon ended during the call ${tool} ${toJson(args)}, and the database says now that ${said}`;
      await tellSession(context, session_id, text);
    } finally {
      clearTimeout(timer);
    }
  };
  const work = async (): Promise<void> => {
    for (const call of await store.unsettledCalls()) {
      if (over.signal.aborted) return;
      await settleOne(call).catch(async (error: unknown) => {
        log.warn(
          { history_id: call.entry.id, cause: messageOf(error) },
          "a database did not say what became of a call",
        );
        await store.completeCall(call.entry.id, completionOf(undefined, call.entry));
      });
    }
  };
  const working = work().catch((error: unknown) => log.warn({ cause: messageOf(error) }, "calls were not settled"));
  return async () => {
    over.abort();
    await working;
  };
}
