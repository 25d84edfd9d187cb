// What an MCP client that wants progress is sent of its request: what goes on and, while nothing is to be said, that it goes on at all.
// Clients give a silent request up, most after a minute.
// Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/progress
import type { ProgressToken, ServerContext } from "@modelcontextprotocol/server";

/** The progress of a request, from its arrival to its answer. */
export class Progress {
  private readonly request: ServerContext["mcpReq"];
  private readonly progressToken: ProgressToken;
  private readonly timer: NodeJS.Timeout;
  private value = 0;

  constructor(request: ServerContext["mcpReq"], progressToken: ProgressToken, heartbeatMs: number) {
    this.request = request;
    this.progressToken = progressToken;
    this.timer = setInterval(() => this.tell(), heartbeatMs).unref();
  }

  /** Sends the next notification: what goes on, or without a message a sign of life. */
  tell(message?: string): void {
    if (this.request.signal.aborted) {
      this.end();
      return;
    }
    this.timer.refresh();
    this.value++;
    const params = { progressToken: this.progressToken, progress: this.value, message };
    // Where it cannot be sent, the request is over: a question that the client fails to answer ends it without the handler.
    this.request.notify({ method: "notifications/progress", params }).catch(() => this.end());
  }

  end(): void {
    clearInterval(this.timer);
  }
}

const underWay = new WeakMap<AbortSignal, Progress>();

/**
 * The progress of the request that is handled; undefined when its client wants none. A request of the 2025 revision is handled again
 * after every question, and its progress is the same then: the values have to rise from its arrival to its answer.
 */
export function progressOf({ mcpReq }: ServerContext, heartbeatMs: number): Progress | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  const progress = underWay.get(mcpReq.signal) ?? new Progress(mcpReq, progressToken, heartbeatMs);
  underWay.set(mcpReq.signal, progress);
  return progress;
}
