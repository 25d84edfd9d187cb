// Prompts with an Idempotency-Key: one turn for a key, whoever asks for it and however often. The turn runs for nobody in
// particular, and everyone who asks reads its events, from memory while it runs and from the record afterwards. A key is free again
// when its turn was refused before it began; cancelling it is no refusal. Source: docs/reference.md, "Sending a prompt once".
import type { Agent, KeyedPrompt, PromptRequest } from "../../domain/agent.js";
import { AppError, isCancel, isShutdown } from "../../domain/error.js";
import type { Metrics } from "../metrics/metrics.js";
import { runTurnInto } from "./event-sink.js";

/** A turn that was begun here for a key and is not over. */
interface Underway {
  /** Resolves when it is accepted; rejects when it is refused, and its key is free again. */
  accepted: Promise<void>;
  /** Resolves when it is over; rejects when it was refused, also after it had to wait. */
  ended: Promise<void>;
}

/** The turn that a key belongs to. */
interface KeyedTurn {
  session_id: string;
  turn_id: string;
  /** Whether an earlier request began it. */
  isReplayed: boolean;
  /** Resolves when it is over; rejects when it was refused after it had to wait. */
  ended: Promise<void>;
}

/** A prompt with its key, and how it is to run if the key is free. */
interface KeyedRequest {
  key: Pick<KeyedPrompt, "key" | "scope" | "fingerprint">;
  request: PromptRequest;
  /** Whether someone can answer a confirmation while the turn waits. */
  interactive: boolean;
}

const isAccepted = ({ accepted }: Underway): Promise<boolean> =>
  accepted.then(
    () => true,
    () => false,
  );

/** The turns of keys. */
export class KeyedRuns {
  private readonly agent: Agent;
  private readonly metrics: Metrics;
  private readonly underway = new Map<string, Underway>();

  constructor(agent: Agent, metrics: Metrics) {
    this.agent = agent;
    this.metrics = metrics;
  }

  /** Begins the turn or finds it. Throws AppError: for another prompt under the key, and what refuses a turn. */
  async turnOf(keyed: KeyedRequest): Promise<KeyedTurn> {
    const { message, session_id, turn_id, client, caller } = keyed.request;
    let missing = "";
    for (;;) {
      const begun = this.prepare(keyed);
      // Before the key is taken: who finds it taken finds the turn, too.
      this.underway.set(turn_id, begun.turn);
      let holder: { session_id: string; turn_id: string };
      try {
        holder = await this.agent.claimKey({ ...keyed.key, message, session_id, turn_id, client, caller });
      } catch (error) {
        this.underway.delete(turn_id);
        throw error;
      }
      if (holder.turn_id === turn_id) {
        begun.start();
        await begun.turn.accepted;
        return { ...holder, isReplayed: false, ended: begun.turn.ended };
      }
      this.underway.delete(turn_id);
      const other = this.underway.get(holder.turn_id);
      const isThere = other ? await isAccepted(other) : (await this.agent.turn(holder.turn_id)) !== undefined;
      if (isThere) return { ...holder, isReplayed: true, ended: other?.ended ?? Promise.resolve() };
      // Refused, and its key is free again; a turn that is not there at the second look was deleted.
      if (!other && missing === holder.turn_id)
        throw new AppError("conflict", "The answer under this Idempotency-Key was deleted with its session.");
      missing = holder.turn_id;
    }
  }

  private prepare(keyed: KeyedRequest): { turn: Underway; start(): void } {
    let onAccepted = (): void => {};
    let onRefused = (_error: unknown): void => {};
    const accepted = new Promise<void>((resolve, reject) => {
      onAccepted = resolve;
      onRefused = reject;
    });
    let onStart = (): void => {};
    const ended = new Promise<void>((resolve) => {
      onStart = resolve;
    }).then(async () => {
      try {
        await this.run(keyed, onAccepted);
      } catch (error) {
        // Cancelled while it waited: that is its answer, and it is not run again. Its place on record is behind the turns before it.
        if (isCancel(error)) return void this.agent.keepCancelled(keyed.request).catch(() => undefined);
        // It has not begun. A key that cannot be freed now reads as interrupted, and so does a detached turn that the end of the
        // daemon refused: its client was told that it is accepted.
        if (!keyed.interactive || !isShutdown(error))
          await this.agent.releaseKey(keyed.request.turn_id).catch(() => undefined);
        onRefused(error);
        throw error;
      } finally {
        this.underway.delete(keyed.request.turn_id);
      }
    });
    // Whoever waits for them handles them; perhaps nobody does.
    accepted.catch(() => {});
    ended.catch(() => {});
    return { turn: { accepted, ended }, start: onStart };
  }

  private run({ request, interactive }: KeyedRequest, onAccepted: () => void): Promise<void> {
    const { agent, metrics } = this;
    const { signal } = new AbortController();
    const sink = { extended: true, push: onAccepted };
    return runTurnInto(sink, { agent, metrics, request, signal, interactive, onQueued: onAccepted });
  }
}
