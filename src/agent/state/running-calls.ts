// The calls that are under way, so that one of them can be stopped while its turn goes on.
import { Stopped } from "../../domain/error.js";

/** A call under way. */
interface RunningCall {
  /** Aborted when the call is to be stopped. */
  stop: AbortSignal;
  /** Called once the call is over. */
  end(): void;
}

/** The calls under way, by their turns and ids. */
export class RunningCalls {
  private readonly calls = new Map<string, AbortController>();

  begin(turn_id: string, call_id: string): RunningCall {
    const name = `${turn_id} ${call_id}`;
    const controller = new AbortController();
    this.calls.set(name, controller);
    const end = (): void => {
      if (this.calls.get(name) === controller) this.calls.delete(name);
    };
    return { stop: controller.signal, end };
  }

  /** False when no such call is under way. */
  stop(turn_id: string, call_id: string): boolean {
    const controller = this.calls.get(`${turn_id} ${call_id}`);
    controller?.abort(new Stopped("call_cancelled"));
    return controller !== undefined;
  }
}
