// A whole daemon in this process, on a free port and in a folder of its own: real configuration, store, transport and HTTP
// server. Only the model is played: by a script, or by a fake vendor when the test names providers itself.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSettings, type Settings } from "../../src/config/settings.js";
import type { Agent } from "../../src/domain/agent.js";
import type { Log, LogFields } from "../../src/lib/log.js";
import { createRedactor } from "../../src/lib/redact/redact.js";
import { openAgent } from "../../src/open.js";
import type { ScriptedReply } from "../../src/providers/scripted.js";
import { type ListenOptions, listen } from "../../src/server/listen.js";

/** One line of the daemon's log. */
export interface LogLine {
  level: keyof Log;
  fields: LogFields;
  message: string;
}

export interface DaemonOptions {
  /** The schema document; a small pet shop at `target` by default. */
  schema?: object;
  /** Address of the target application. */
  target?: string;
  /** Replies by a part of the prompt; `default` answers every other prompt with "ok". */
  turns?: { prompt: string; replies: ScriptedReply[] }[];
  /** Merged into config.json, over the scripted provider. */
  config?: Record<string, unknown>;
  /** Changes to the settings that come out of it. */
  settings?: Partial<Settings>;
  /** Changes to how it listens: token, timeouts, static folder. */
  listen?: Partial<ListenOptions>;
  /** Use this folder and leave it behind. */
  dataDir?: string;
}

export interface Daemon {
  /** `http://127.0.0.1:PORT` */
  url: string;
  port: number;
  agent: Agent;
  dataDir: string;
  log: LogLine[];
  /** Puts another configuration in force, over the scripted provider, as SIGHUP would. */
  reload(config: Record<string, unknown>): Promise<void>;
  /** Stops it as SIGTERM would; `graceMs` 0 by default. */
  close(graceMs?: number): Promise<void>;
}

/** The schema document of a pet shop: two tools that read, one that creates and one that deletes. */
export function petShop(target: string) {
  const id = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] };
  const named = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  const byId = [{ name: "id", in: "path", key: "id" }];
  const action = (name: string, parameters: object, transport: object): object => ({
    name,
    description: `${name} of the shop`,
    provenance: "declared",
    parameters,
    transport: { kind: "http", ...transport },
  });
  return {
    version: 1,
    source: "openapi",
    base_url: target,
    resources: [
      {
        name: "pets",
        actions: [
          action("list_pets", { type: "object", properties: {} }, { method: "GET", path: "/pets" }),
          action("get_pet", id, { method: "GET", path: "/pets/{id}", parameters: byId }),
          action("create_pet", named, { method: "POST", path: "/pets", body: { properties: { name: "name" } } }),
          action("delete_pet", id, { method: "DELETE", path: "/pets/{id}", parameters: byId }),
        ],
      },
    ],
  };
}

/** A log that keeps its lines. */
export function keptLog(): { log: Log; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at = (level: keyof Log) => (fields: LogFields, message: string) => void lines.push({ level, fields, message });
  return { log: { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") }, lines };
}

/** Starts a daemon. Close it, or the test run does not end. */
export async function startDaemon(options: DaemonOptions = {}): Promise<Daemon> {
  const { target = "http://127.0.0.1:9", schema = petShop(target), turns = [], config = {} } = options;
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "agentd-test-")));
  const file = join(dataDir, "turns.json");
  await writeFile(file, JSON.stringify({ turns, replies: [{ text: "ok" }], repeat: true }));
  await writeFile(join(dataDir, "schema.json"), JSON.stringify(schema));
  const scripted = { default_provider: "played", providers: { played: { type: "scripted", file } } };
  await writeFile(join(dataDir, "config.json"), JSON.stringify({ ...scripted, ...config }));
  const loaded = await loadSettings({ dataDir, flags: {}, env: {} });
  const { log, lines } = keptLog();
  const opened = await openAgent({ ...loaded, ...options.settings }, log, createRedactor(loaded.secrets));
  const { host, allowedHosts } = { ...loaded, ...options.settings };
  const listening = await listen(opened.agent, {
    host,
    port: 0,
    allowedHosts,
    log,
    connector: opened.connector,
    ...options.listen,
  });
  return {
    url: listening.address,
    port: Number(new URL(listening.address).port),
    agent: opened.agent,
    dataDir,
    log: lines,
    async reload(changed) {
      await writeFile(join(dataDir, "config.json"), JSON.stringify({ ...scripted, ...changed }));
      await opened.reload(await loadSettings({ dataDir, flags: {}, env: {} }));
    },
    async close(graceMs = 0) {
      await listening.close(graceMs);
      await opened.agent.close();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}
