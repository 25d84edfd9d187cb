// What the daemon has done since it started, as Prometheus reads it. Counts events as they pass the doors; owns no timer.
import type { TurnEvent } from "../domain/event.js";

/** How a turn ended, as far as its door could see. */
export type TurnEnd = "done" | "failed" | "cancelled";

/** The counters behind GET /-/metrics. */
export interface Metrics {
  /** Counts one event; returns it unchanged. */
  event(event: TurnEvent): void;
  turn(end: TurnEnd): void;
  response(status: number): void;
  /** The text exposition format. */
  text(now: { running: number; waiting: number; sockets: number }): string;
}

/** Counters at zero. */
export function createMetrics(): Metrics {
  const calls = { ok: 0, error: 0 };
  const turns = { done: 0, failed: 0, cancelled: 0 };
  const responses = { "1xx": 0, "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0 };
  const started = Date.now() / 1000;

  const family = (name: string, type: "counter" | "gauge", help: string, samples: Record<string, number>): string =>
    [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
      .concat(Object.entries(samples).map(([labels, value]) => `${name}${labels} ${value}`))
      .join("\n");
  const by = (label: string, counts: Record<string, number>): Record<string, number> =>
    Object.fromEntries(Object.entries(counts).map(([key, value]) => [`{${label}="${key}"}`, value]));

  return {
    event: (event) => {
      if (event.kind === "tool_result") calls[event.status]++;
    },
    turn: (end) => {
      turns[end]++;
    },
    response: (status) => {
      const family = `${Math.floor(status / 100)}xx`;
      if (family in responses) responses[family as keyof typeof responses]++;
    },
    text({ running, waiting, sockets }) {
      const { user, system } = process.cpuUsage();
      return [
        family("agentd_turns_total", "counter", "Turns ended, by how.", by("status", turns)),
        family("agentd_turns_running", "gauge", "Turns running now.", { "": running }),
        family("agentd_turns_waiting", "gauge", "Turns waiting for their session's earlier ones.", { "": waiting }),
        family("agentd_tool_calls_total", "counter", "Tool results told to clients.", by("status", calls)),
        family("agentd_http_responses_total", "counter", "HTTP responses, by class.", by("class", responses)),
        family("agentd_chat_sockets", "gauge", "Open /chat connections.", { "": sockets }),
        family("process_cpu_seconds_total", "counter", "CPU time used.", { "": (user + system) / 1e6 }),
        family("process_resident_memory_bytes", "gauge", "Memory in use.", { "": process.memoryUsage.rss() }),
        family("process_start_time_seconds", "gauge", "When the daemon started, Unix time.", { "": started }),
        family("process_uptime_seconds", "gauge", "How long it has run.", { "": Date.now() / 1000 - started }),
        "",
      ].join("\n");
    },
  };
}
