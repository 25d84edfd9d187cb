// The floor: what was chosen for agentd and cannot be left out, and nothing else. Express, undici, and the four commits of a turn in
// agentd's own record; what agentd takes beyond it is its own.
import { randomUUID } from "node:crypto";
import express from "express";
import { Agent, request } from "undici";
import { openSqliteStore } from "../../src/store/sqlite/store.js";
import { type ByHand, newFolder, turnByHand } from "./by-hand.js";

/** What it writes down of a turn, as agentd does. */
function recording(
  store: Awaited<ReturnType<typeof openSqliteStore>>,
  session_id: string,
): Omit<ByHand, "post" | "get"> {
  const turn_id = randomUUID();
  const names = { session_id, turn_id, provider: "bench", model: "bench", client: "", asked_by: "" };
  let row = 0;
  return {
    async begin(prompt) {
      await store.beginTurn({ ...names, prompt });
    },
    async beginCall(call) {
      row = await store.beginCall({
        ...names,
        application: "",
        call_id: call.id,
        tool: call.name,
        arguments: JSON.parse(call.arguments),
        safety: "read_only",
        policy: { strict: false, confirm: false, dry_run: false, read_only: false },
        request: { method: "GET", url: "/items/7" },
      });
    },
    async endCall(_, result) {
      await store.completeCall(row, { status: "ok", result: result as object as never, duration_ms: 0 });
    },
    end: (text) =>
      store.endTurn({
        turn_id,
        status: "done",
        error: "",
        messages: [{ role: "assistant", text, calls: [] }],
        events: [],
      }),
  };
}

/** Express, undici and the record of agentd, in the data directory `dir`. */
export async function serveFloor(model: string, target: string, dir = newFolder()): Promise<void> {
  const store = await openSqliteStore({ dir });
  const dispatcher = new Agent({ connections: 64, keepAliveTimeout: 30_000 });
  const wire: Pick<ByHand, "post" | "get"> = {
    async post(url, body) {
      const headers = { "content-type": "application/json" };
      return (await request(url, { dispatcher, method: "POST", headers, body })).body;
    },
    get: async (url) => (await request(url, { dispatcher })).body.json(),
  };
  const app = express();
  app.get("/", (_, response) => response.send("{}"));
  app.post("/run", express.json(), async (request, response) => {
    const { message, session_id } = request.body as { message: string; session_id: string };
    const events: object[] = [];
    const hand = { ...wire, ...recording(store, session_id) };
    await turnByHand(hand, { model, target, message }, (event) => events.push(event));
    response.json({ result: "", session_id, events });
  });
  const server = app.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (typeof address === "object" && address) process.stdout.write(`ready http://127.0.0.1:${address.port}\n`);
  });
}
