// An agent over a table in memory whose transport knows what its calls do, as that of a database does: a preview changes nothing, a yes
// is for the rows that were shown, and what a change did can be put back. The rest is real: record, confirmations, HTTP server.
import { createHash } from "node:crypto";
import type {
  Evidence,
  ExecuteOptions,
  Outcome,
  PreparedCall,
  Preview,
  Target,
  Transport,
} from "../../src/applications/transport.js";
import type { Agent } from "../../src/domain/agent.js";
import type { RowChange } from "../../src/domain/effect.js";
import { canonicalJson, type JsonObject, toJson } from "../../src/lib/json.js";
import { openTransportAgent, type TransportAgentOptions } from "./transport-agent.js";

/** Rows by their key; what a test changes behind the agent's back. */
export type Rows = Map<number, JsonObject>;

interface Plan {
  operation: string;
  args: JsonObject;
  images?: RowChange[];
}

const KIND = "table";

/** What the transport of a table is asked for; a test may look at it and break it. */
export interface TableTransport extends Transport {
  rows: Rows;
  previews: number;
  executions: number;
  /** Called once a change is made and kept, before it is final. */
  beforeCommit(): void;
  statusOf: "committed" | "aborted" | undefined;
}

function failed(code: string, message: string): { outcome: Outcome } {
  return { outcome: { status: "error", value: { error: code, message } } };
}

/** What a plan does to the rows. */
function changesOf(rows: Rows, { operation, args, images }: Plan): RowChange[] | { outcome: Outcome } {
  if (images) {
    const differing = images.find(
      ({ key, after }) => canonicalJson(rows.get(Number(key["id"])) ?? null) !== canonicalJson(after),
    );
    if (differing) return failed("conflict", `row ${toJson(differing.key)} is not as the call left it`);
    return images.map(({ resource, key, before, after }) => ({ resource, key, before: after, after: before }));
  }
  const id = Number(args["id"]);
  const before = rows.get(id) ?? null;
  if (operation === "all")
    return [...rows].map(([key, row]) => ({ resource: "rows", key: { id: key }, before: row, after: null }));
  if (operation !== "create" && !before) return failed("not_found", `no row ${id}`);
  if (operation === "create" && before) return failed("constraint_violation", `there is a row ${id}`);
  const after = operation === "delete" ? null : { ...before, ...args };
  return [{ resource: "rows", key: { id }, before, after }];
}

function previewOf(changes: RowChange[]): Preview {
  const count = (is: (change: RowChange) => boolean): number => changes.filter(is).length;
  const tables = [
    {
      name: "rows",
      inserted: count(({ before }) => before === null),
      updated: count(({ before, after }) => before !== null && after !== null),
      deleted: count(({ after }) => after === null),
    },
  ];
  const fingerprint = createHash("sha256").update(toJson(changes)).digest("hex");
  return { effect: { tables, changes, complete: true }, fingerprint, undo: "possible" };
}

/** The transport of a table. */
export function createTableTransport(rows: Rows): TableTransport {
  const preparedOf = (plan: Plan): PreparedCall => ({
    request: { operation: plan.operation },
    preview: { operation: plan.operation, ...plan.args },
    plan,
  });
  const transport: TableTransport = {
    kind: KIND,
    rows,
    previews: 0,
    executions: 0,
    beforeCommit: () => {},
    statusOf: undefined,
    prepare: (action, { sent }) => preparedOf({ operation: String(action.transport["operation"]), args: sent }),
    async preview({ plan }) {
      transport.previews++;
      const changes = changesOf(rows, plan as Plan);
      return Array.isArray(changes) ? previewOf(changes) : changes;
    },
    async execute({ plan }, _target: Target, { expected, keep }: ExecuteOptions = {}) {
      transport.executions++;
      if ((plan as Plan).operation === "list") return { status: "ok", value: [...rows.values()] };
      const changes = changesOf(rows, plan as Plan);
      if (!Array.isArray(changes)) return changes.outcome;
      const preview = previewOf(changes);
      if (expected !== undefined && expected !== preview.fingerprint)
        return { status: "error", value: { error: "changed" }, changed: preview };
      const evidence: Evidence = {
        effect: preview.effect,
        undo: "possible",
        images: { changes: changes as unknown as JsonObject[] },
        transaction: "tx-1",
      };
      await keep?.(evidence);
      transport.beforeCommit();
      for (const { key, after } of changes)
        if (after) rows.set(Number(key["id"]), after);
        else rows.delete(Number(key["id"]));
      return { status: "ok", value: changes[0]?.after ?? changes[0]?.before ?? null };
    },
    prepareUndo: (_action, { changes }) =>
      preparedOf({ operation: "restore", args: {}, images: changes as unknown as RowChange[] }),
    transactionStatus: async () => transport.statusOf,
  };
  return transport;
}

function tableDocument(): object {
  const properties = { id: { type: "integer" }, name: { type: "string" }, password: { type: "string" } };
  const action = (operation: string, safety: string): object => ({
    name: `${operation}_rows`,
    description: `${operation} rows`,
    safety,
    provenance: "declared",
    parameters: { type: "object", properties },
    transport: { kind: KIND, operation },
  });
  const actions = [
    action("list", "read_only"),
    action("create", "mutating"),
    action("update", "mutating"),
    action("delete", "destructive"),
    action("all", "destructive"),
  ];
  return { version: 1, source: "sql", resources: [{ name: "rows", actions }] };
}

/** What a test decides of its agent; its model answers nothing by default. */
export type TableAgentOptions = Partial<
  Pick<TransportAgentOptions, "policy" | "modes" | "target" | "reply" | "faults">
>;

/** An agent on the data directory `dir`, over this transport. */
export function openTableAgent(dir: string, transport: Transport, options: TableAgentOptions = {}): Promise<Agent> {
  return openTransportAgent(dir, {
    schema: tableDocument(),
    transport: async () => transport,
    reply: () => ({ text: "ok", calls: [], finish: "stop" }),
    ...options,
  });
}
