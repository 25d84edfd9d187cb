// What the daemon and a process that works on a SQLite file say to each other: one job at a time, its answers, and what they wait for.
import type { JsonObject } from "../../../lib/json.js";
import type { Evidence } from "../../transport.js";
import type { DatabaseCatalogue } from "../catalogue.js";
import type { Change, ChangeOutcome, ColumnType, Restoration } from "../database.js";
import type { Parameter } from "../statement.js";

/** What is asked of a process. */
export type Job =
  | { kind: "introspect" }
  | {
      kind: "rows";
      sql: string;
      parameters: readonly Parameter[];
      /** The columns of the result; undefined for a statement of a person's or a model's. */
      columns?: readonly ColumnType[] | undefined;
    }
  | {
      kind: "change";
      change: Change | Restoration;
      commit: boolean;
      expected?: string | undefined;
      /** Whether evidence is to be handed over before COMMIT. */
      isKept: boolean;
    };

/** A job with its file. */
export interface JobMessage {
  file: string;
  /** What the file may be called. */
  shown: string;
  lockMs: number;
  job: Job;
}

/** What a process waits for: after rows and after evidence, whether it goes on. */
export interface GoOn {
  isGoing: boolean;
}

/** What a process answers; `rows` and `evidence` wait for a GoOn. */
export type SqliteAnswer =
  | { kind: "rows"; columns: readonly string[]; rows: JsonObject[] }
  | { kind: "evidence"; evidence: Evidence }
  | { kind: "catalogue"; catalogue: DatabaseCatalogue }
  | { kind: "changed"; outcome: ChangeOutcome }
  | { kind: "end" }
  | { kind: "failed"; code: string; message: string; details: JsonObject };
