// The sender's side of the proof: arguments go through the check and the transport, as a call of a model would go, to the
// server in server.ts. Many requests may be under way at once; each is known by a number in a header of its own.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createHttpTransport } from "../../src/applications/http/transport.js";
import { CallError, type Target } from "../../src/applications/transport.js";
import type { Action } from "../../src/domain/schema-document.js";
import type { JsonObject } from "../../src/lib/json.js";
import { createArgumentChecks } from "../../src/tools/arguments/check.js";
import { prepare } from "../support/http.js";
import { type Judged, type JudgeMessage, MEANT_FOR, type Order } from "./messages.js";

/** A request that arrived, or why none did. */
export type Recorded = ({ kind: "arrived" } & Judged) | { kind: "refused"; reason: string };

/** A running server and the transport that talks to it. */
export interface Recorder {
  /** Names the document of the next judges, or makes a judge. */
  order(order: Order): void;
  /** Sends one call to the server, for the judge of that name and its operation of that number: "1/2 3". */
  send(action: Action, args: JsonObject, judge: string): Promise<Recorded>;
  close(): Promise<void>;
}

/** Starts a server in a process of its own. */
export async function startRecorder(): Promise<Recorder> {
  const server = fork(fileURLToPath(new URL("./server.ts", import.meta.url)), {
    execArgv: ["--import", "tsx/esm"],
    serialization: "advanced",
  });
  // The verdict and the end of the call arrive by different ways, in any order.
  const waiting = new Map<number, (judged: Judged) => void>();
  let sent = 0;
  const [listening]: [JudgeMessage] = (await once(server, "message")) as [JudgeMessage];
  const address = listening.kind === "listening" ? listening.url : "";
  server.on("message", (message: JudgeMessage) => {
    if (message.kind === "judged") waiting.get(message.n)?.(message);
  });
  const transport = createHttpTransport();
  const argumentChecks = createArgumentChecks();

  const call = async (action: Action, args: JsonObject, judge: string): Promise<Recorded> => {
    const n = ++sent;
    const headers = { [MEANT_FOR]: `${judge} ${n}` };
    const target: Target = {
      application: "",
      baseUrl: address,
      headers,
      schemes: {},
      credentials: {},
      timeoutMs: 60_000,
      allowFiles: false,
    };
    const prepared = prepare(transport, action, args, target);
    const judged = new Promise<Judged>((resolve) => waiting.set(n, resolve));
    const { status, value } = await transport.execute(prepared, target);
    if (status === "error") return { kind: "refused", reason: `nothing arrived: ${JSON.stringify(value)}` };
    const received = await judged;
    waiting.delete(n);
    return { kind: "arrived", ...received };
  };

  return {
    order: (order) => void server.send(order),
    async send(action, args, judge) {
      const checked = await argumentChecks.check(action, args, true);
      if (checked.kind === "invalid") return { kind: "refused", reason: `arguments: ${checked.reason}` };
      try {
        return await call(action, checked.arguments, judge);
      } catch (error) {
        if (error instanceof CallError) return { kind: "refused", reason: `transport: ${error.message}` };
        throw error;
      }
    },
    async close() {
      argumentChecks.close();
      await transport.close?.();
      const ended = once(server, "exit");
      server.disconnect();
      await ended;
    },
  };
}
