// Calls and turns that wait for a person while their MCP client asks that person: what is given out to come back with, what must fit
// when it does, and the decision. Nothing that a client sends back is believed: it names a confirmation, and everything else is
// compared with that confirmation's own row, so it needs no signature and outlives a restart.
// Source: docs/mcp.md, "Confirmations"
import { createHash, randomUUID } from "node:crypto";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Agent } from "../../domain/agent.js";
import type { Caller } from "../../domain/caller.js";
import type { Decision } from "../../domain/decision.js";
import { AppError } from "../../domain/error.js";
import type { HeldCall } from "../../domain/event.js";
import type { Confirmation } from "../../domain/record.js";
import { canonicalJson, isObject, type JsonObject } from "../../lib/json.js";
import { failure, toolResult } from "./results.js";
import { faultResult, heldResult, type Running, type RunStep } from "./running.js";

/** Turns and questions that wait at once; each holds a running call. */
const MAX_PARKED = 64;
/** Milliseconds that a result is kept for a client that has not come back: as long as a person looks at a dialog. */
const KEPT_MS = 5 * 60_000;
/** States that have been used, remembered to tell a state sent twice from a call that was decided elsewhere. */
const MAX_USED = 1_000;

/** What a client wants to have called, and whose word that is. */
export interface Wanted {
  tool: string;
  arguments: JsonObject;
  caller: Caller;
  /** Where held calls are decided; undefined where no browser can go. */
  page: string | undefined;
  /** The transport of the tool. */
  kind: string;
  /** Aborted when the client is gone or cancels. */
  signal: AbortSignal;
  /** Called with what goes on; undefined where nobody wants to know. */
  onProgress: ((message: string) => void) | undefined;
}

/** What a person said through the client; undefined when the client says nothing of it. */
export type PersonAnswer =
  | { action: "accept"; values: JsonObject }
  | { action: "decline" }
  | { action: "cancel" }
  | undefined;

/** What the client is to do: take the result, ask a person and come back with the state, or learn that its state is none. */
export type AskOutcome = { result: CallToolResult } | { held: HeldCall; state: string } | { refused: string };

/** Something under way that waits in memory. */
interface Parked {
  running: Running;
  /** The name of the token it was asked for with. */
  asked_by: string;
  digest: string;
  /** What comes after the decision, whoever makes it. */
  next: Promise<RunStep>;
}

const digestOf = (tool: string, args: JsonObject): string =>
  createHash("sha256")
    .update(canonicalJson([tool, args]))
    .digest("hex")
    .slice(0, 32);

/** The name of a call on record; it says what was asked for, so that another call cannot be confirmed in its place. */
export function callIdFor({ tool, arguments: args }: Pick<Wanted, "tool" | "arguments">): string {
  return `call_${randomUUID()}_${digestOf(tool, args)}`;
}

const REFUSED =
  "This requestState was given out for another call, to another client, or is none; nothing was sent. Make the call again without it.";

/** What a person's answer comes to. */
function decisionOf(held: Pick<HeldCall, "input">, said: Exclude<PersonAnswer, undefined>): Decision | undefined {
  if (said.action === "cancel") return undefined;
  if (said.action === "decline") return { decision: "deny", reason: "declined in the client" };
  if (held.input) return { decision: "approve", arguments: said.values };
  const { approve, reason } = said.values;
  const words = typeof reason === "string" && reason !== "" ? { reason } : {};
  return approve === true ? { decision: "approve", ...words } : { decision: "deny", ...words };
}

/** The calls and turns of a daemon's MCP clients that wait for a person. */
export class HeldCalls {
  private readonly agent: Agent;
  private readonly parked = new Map<string, Parked>();
  private readonly used = new Set<string>();

  constructor(agent: Agent) {
    this.agent = agent;
  }

  /** Begins something, and gives what the client is to do. */
  begin(running: Running, wanted: Wanted): Promise<AskOutcome> {
    return this.follow(running, wanted, running.step());
  }

  /** Goes on with what a state was given out for. */
  async resume(state: string, said: PersonAnswer, wanted: Wanted): Promise<AskOutcome> {
    const parked = this.parked.get(state);
    const held = await this.agent.confirmation(state);
    const digest = digestOf(wanted.tool, wanted.arguments);
    const fits = parked
      ? parked.asked_by === wanted.caller.name && parked.digest === digest
      : held?.asked_by === wanted.caller.name && held.call_id.endsWith(`_${digest}`);
    if (!held || !fits) return { refused: REFUSED };
    if (said === undefined) return held.status === "pending" ? { held, state } : this.settled(held, parked, wanted);
    const decision = decisionOf(held, said);
    if (!decision) {
      if (parked && !parked.running.isCall) parked.running.leave();
      return { result: heldResult(held, wanted.page) };
    }
    return this.decide(held, decision, { parked, wanted });
  }

  /** Ends what goes on for nobody: the daemon stops. */
  close(): void {
    for (const { running } of this.parked.values()) running.leave();
    this.parked.clear();
  }

  private async decide(
    held: Confirmation,
    decision: Decision,
    { parked, wanted }: { parked: Parked | undefined; wanted: Wanted },
  ): Promise<AskOutcome> {
    const isReplayed = this.used.has(held.id);
    try {
      const { outcome, reason } = await this.agent.decide(held.id, decision, wanted.caller);
      this.noteUsed(held.id);
      if (parked) return await this.goOn(held.id, parked, wanted);
      if (outcome)
        return { result: toolResult(outcome.result, { isError: outcome.status === "error", kind: wanted.kind }) };
      return { result: failure("denied", reason) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // The turn, or call, that went on asks about it anew.
      if (parked && error.code === "changed") {
        this.noteUsed(held.id);
        return await this.goOn(held.id, parked, wanted);
      }
      const [again] = error.details;
      const next = error.code === "changed" && again !== undefined ? await this.agent.confirmation(again) : undefined;
      if (next) return { held: next, state: next.id };
      if (error.code !== "conflict") return { result: faultResult(error) };
      if (isReplayed)
        return {
          result: failure(
            "conflict",
            "this requestState has been used; nothing was sent. agentd history shows the call.",
          ),
        };
      return this.settled((await this.agent.confirmation(held.id)) ?? held, parked, wanted);
    }
  }

  /** What became of a call that was decided elsewhere, or has expired. */
  private async settled(held: Confirmation, parked: Parked | undefined, wanted: Wanted): Promise<AskOutcome> {
    if (parked) return this.goOn(held.id, parked, wanted);
    this.noteUsed(held.id);
    if (held.status !== "approved") {
      const code = held.status === "expired" ? "confirmation_expired" : "denied";
      return { result: failure(code, `${held.reason}; nothing was sent`) };
    }
    const [row] = await this.agent.history({ before: held.history_id + 1, limit: 1 });
    if (row?.id !== held.history_id || row.status === "pending")
      return {
        result: failure(
          "in_flight",
          "a person approved this call and it is being made; agentd history shows its result.",
        ),
      };
    return {
      result: toolResult(row.result, { isError: row.status !== "ok" && row.status !== "dry_run", kind: wanted.kind }),
    };
  }

  private goOn(id: string, { running, next }: Parked, wanted: Wanted): Promise<AskOutcome> {
    this.parked.delete(id);
    return this.follow(running, wanted, next);
  }

  private async follow(running: Running, wanted: Wanted, next: Promise<RunStep>): Promise<AskOutcome> {
    const { signal, onProgress } = wanted;
    running.onProgress = onProgress;
    // The SDK aborts a request that it has answered, too.
    signal.addEventListener("abort", running.stop, { once: true });
    if (signal.aborted) running.stop();
    const step = await next.finally(() => signal.removeEventListener("abort", running.stop));
    if ("result" in step) return step;
    const { held, isOver } = step;
    if (isOver) return { held, state: held.id };
    // A call that waits for a yes waits on disk; a question of an application, and a turn, go on where they are.
    if (running.isCall && !held.input) {
      running.leave();
      return { held, state: held.id };
    }
    if (this.parked.size >= MAX_PARKED) {
      running.leave();
      return { result: failure("busy", `${MAX_PARKED} calls wait for a person already; decide some of them first.`) };
    }
    this.park(held, running, wanted);
    return { held, state: held.id };
  }

  private park(held: HeldCall, running: Running, { caller, tool, arguments: args }: Wanted): void {
    const { id } = held;
    let isExpired = false;
    running.onProgress = (message) => {
      isExpired ||= message === "expired";
    };
    const next = running.step();
    this.parked.set(id, { running, asked_by: caller.name, digest: digestOf(tool, args), next });
    const forget = (): void => {
      if (!this.parked.delete(id)) return;
      // Nobody has come back: a turn does not go on for nobody.
      if (!running.isCall) running.leave();
    };
    next.then(
      () => void (isExpired ? forget() : setTimeout(forget, KEPT_MS).unref()),
      () => void this.parked.delete(id),
    );
  }

  private noteUsed(id: string): void {
    this.used.add(id);
    if (this.used.size <= MAX_USED) return;
    const [oldest] = this.used;
    if (oldest !== undefined) this.used.delete(oldest);
  }
}

/** What a client sent as a person's answer. */
export function saidOf(action: "accept" | "decline" | "cancel", content: unknown): PersonAnswer {
  if (action !== "accept") return { action };
  return { action, values: isObject(content) ? content : {} };
}
