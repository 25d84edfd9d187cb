// The counters, gauges and histograms of one daemon, in a registry of its own. Loaded on demand by metrics.ts.
// Source: docs/reference.md, "Health and metrics".
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { LimitRefusals } from "../../domain/agent.js";

/** What is so at this moment, asked for at each scrape. */
export interface Levels {
  running: number;
  waiting: number;
  /** Open /chat connections. */
  sockets: number;
  historyRows: number;
  fileBytes: number;
  limitRefusals: LimitRefusals;
}

/** What is recorded as it happens, and the text of it all. */
export interface Instruments {
  turns: Counter<"status">;
  turnSeconds: Histogram<"status">;
  toolCalls: Counter<"status">;
  toolCallSeconds: Histogram<"status">;
  modelCallSeconds: Histogram<"provider" | "model" | "status">;
  tokens: Counter<"provider" | "model" | "type">;
  cost: Counter<"provider" | "model" | "currency">;
  responses: Counter<"class">;
  text(levels: Levels): Promise<{ text: string; contentType: string }>;
}

/** A call within this machine takes milliseconds, a slow application a minute. */
const CALL_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** A model takes seconds; a turn is several of its calls, and may wait for a person. */
const MODEL_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300];

/** Five samples a second: enough to see a stall, and next to nothing for an idle daemon. */
const LAG_RESOLUTION_MS = 200;
const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });

/** Nanoseconds between two samples as seconds of delay: the interval itself is none. */
const delaySeconds = (nanoseconds: number): number =>
  Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - LAG_RESOLUTION_MS / 1000) : 0;

function createGauges(registers: Registry[]): (levels: Levels) => void {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const running = gauge("agentd_turns_running", "Turns running now.");
  const waiting = gauge("agentd_turns_waiting", "Turns waiting for their session's earlier ones.");
  const sockets = gauge("agentd_chat_sockets", "Open /chat connections.");
  const rows = gauge("agentd_history_rows", "Rows of the history.");
  const bytes = gauge("agentd_database_bytes", "Size of the database file.");
  const refusals = new Counter({
    name: "agentd_limit_refusals_total",
    help: "Calls and model calls that a limit refused.",
    labelNames: ["scope", "kind"],
    registers,
  });
  return (levels) => {
    running.set(levels.running);
    waiting.set(levels.waiting);
    sockets.set(levels.sockets);
    rows.set(levels.historyRows);
    bytes.set(levels.fileBytes);
    refusals.reset();
    for (const { scope, kind, count } of levels.limitRefusals) refusals.inc({ scope, kind }, count);
  };
}

function createProcessMetrics(registers: Registry[]): () => void {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const cpu = new Counter({ name: "process_cpu_seconds_total", help: "CPU time used.", registers });
  const memory = gauge("process_resident_memory_bytes", "Memory in use.");
  const start = gauge("process_start_time_seconds", "When the daemon started, Unix time.");
  const uptime = gauge("process_uptime_seconds", "How long it has run.");
  const lagP50 = gauge("nodejs_eventloop_lag_p50_seconds", "Median delay of the event loop since the last scrape.");
  const lagP99 = gauge("nodejs_eventloop_lag_p99_seconds", "99th percentile of it.");
  const lagMax = gauge("nodejs_eventloop_lag_max_seconds", "The longest.");
  start.set(Date.now() / 1000 - process.uptime());
  lag.enable();
  return () => {
    const { user, system } = process.cpuUsage();
    cpu.reset();
    cpu.inc((user + system) / 1e6);
    memory.set(process.memoryUsage.rss());
    uptime.set(process.uptime());
    lagP50.set(delaySeconds(lag.percentile(50)));
    lagP99.set(delaySeconds(lag.percentile(99)));
    lagMax.set(delaySeconds(lag.max));
    lag.reset();
  };
}

/** Instruments at zero. */
export function createInstruments(): Instruments {
  const registry = new Registry();
  const registers = [registry];
  const turns = new Counter({
    name: "agentd_turns_total",
    help: "Turns ended, by how.",
    labelNames: ["status"],
    registers,
  });
  const turnSeconds = new Histogram({
    name: "agentd_turn_duration_seconds",
    help: "Turns from their start to their end.",
    labelNames: ["status"],
    buckets: MODEL_BUCKETS,
    registers,
  });
  const toolCalls = new Counter({
    name: "agentd_tool_calls_total",
    help: "Tool results sent to clients.",
    labelNames: ["status"],
    registers,
  });
  const toolCallSeconds = new Histogram({
    name: "agentd_tool_call_duration_seconds",
    help: "Tool calls, refused ones included.",
    labelNames: ["status"],
    buckets: CALL_BUCKETS,
    registers,
  });
  const modelCallSeconds = new Histogram({
    name: "agentd_model_call_duration_seconds",
    help: "Calls to the model, retries included.",
    labelNames: ["provider", "model", "status"],
    buckets: MODEL_BUCKETS,
    registers,
  });
  const tokens = new Counter({
    name: "agentd_model_tokens_total",
    help: "Tokens as the model's vendor counts them.",
    labelNames: ["provider", "model", "type"],
    registers,
  });
  const cost = new Counter({
    name: "agentd_model_cost_total",
    help: "What model calls cost, by the configured prices.",
    labelNames: ["provider", "model", "currency"],
    registers,
  });
  const responses = new Counter({
    name: "agentd_http_responses_total",
    help: "HTTP responses, by class.",
    labelNames: ["class"],
    registers,
  });
  // A sample that is there from the start has a rate from the first event on.
  for (const status of ["done", "failed", "cancelled"]) turns.inc({ status }, 0);
  for (const status of ["ok", "error"]) toolCalls.inc({ status }, 0);
  for (const name of ["1xx", "2xx", "3xx", "4xx", "5xx"]) responses.inc({ class: name }, 0);
  const setLevels = createGauges(registers);
  const measureProcess = createProcessMetrics(registers);
  return {
    turns,
    turnSeconds,
    toolCalls,
    toolCallSeconds,
    modelCallSeconds,
    tokens,
    cost,
    responses,
    async text(levels) {
      setLevels(levels);
      measureProcess();
      return { text: await registry.metrics(), contentType: registry.contentType };
    },
  };
}
