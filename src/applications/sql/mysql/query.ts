// One free SELECT of a person's or a model's. It is a prepared statement, of which there is one and no more, in a transaction that can
// only read; it has to begin as a SELECT does, because others (DDL, COMMIT, a block) would end that transaction. Its connection is used
// for nothing else afterwards: locks and variables of the statement go with it.
import { exactNumber, type JsonObject, type JsonValue, jsonOrText } from "../../../lib/json.js";
import { toDataUrl } from "../bytes.js";
import { columnNames } from "../column-names.js";
import { type CallLimits, DatabaseFailure } from "../database.js";
import { decimalOrText } from "../postgres/values.js";
import type { AnswerColumn, MysqlConnections } from "./session.js";
import { floatValue, toMysqlParameter } from "./values.js";

const BATCH_ROWS = 500;

const BEGINS_AS_SELECT = /^[\s(]*(?:select|with|values|table)\b/i;
/** Reach files of the server. A word is the same in quotes and in comments that are run, so that none hides it. */
const FORBIDDEN_WORD = /\b(?:outfile|dumpfile|load_file)\b/i;

/** Types of columns, as the protocol numbers them. Source: the MySQL manual, "Protocol::ColumnType". */
const TYPE = {
  tiny: 1,
  float: 4,
  timestamp: 7,
  bigint: 8,
  datetime: 12,
  bit: 16,
  json: 245,
  decimals: [0, 246],
} as const;

function bitValue(bits: Buffer): JsonValue {
  return exactNumber(BigInt(`0x${bits.toString("hex") || "0"}`).toString()) ?? null;
}

function textValue(text: string, { columnType }: AnswerColumn): JsonValue {
  if (columnType === TYPE.datetime) return text.replace(" ", "T");
  if (columnType === TYPE.timestamp) return `${text.replace(" ", "T")}Z`;
  if (columnType === TYPE.json) return jsonOrText(text);
  return TYPE.decimals.some((one) => one === columnType) ? decimalOrText(text) : text;
}

/** A value as the driver reads it from the binary protocol. TIMESTAMP is in UTC by the settings of the session. */
function toValue(value: unknown, column: AnswerColumn): JsonValue {
  const { columnType, columnLength } = column;
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return columnType === TYPE.bit ? bitValue(value) : toDataUrl(value);
  if (typeof value === "bigint") return value;
  if (typeof value === "number") {
    if (columnType === TYPE.tiny && columnLength === 1 && (value === 0 || value === 1)) return value === 1;
    return columnType === TYPE.float ? floatValue(String(value)) : value;
  }
  // 64 bits come as a text, so that no digit is lost.
  if (typeof value === "string")
    return columnType === TYPE.bigint ? (exactNumber(value) ?? value) : textValue(value, column);
  // Geometry, as points of x and y.
  return value as JsonValue;
}

function check(sql: string): void {
  if (!BEGINS_AS_SELECT.test(sql))
    throw new DatabaseFailure(
      "refused",
      "only one SELECT can be run here, and it begins with SELECT or WITH; nothing was run",
    );
  const word = FORBIDDEN_WORD.exec(sql)?.[0];
  if (word !== undefined) throw new DatabaseFailure("refused", `${word} cannot be used here; nothing was run`);
}

/** See Database.query. */
export async function* freeRows(
  connections: MysqlConnections,
  { sql, parameters, limits }: { sql: string; parameters: readonly JsonValue[]; limits: CallLimits },
): AsyncGenerator<JsonObject[]> {
  check(sql);
  const values = parameters.map((value, at) =>
    toMysqlParameter(value, { name: `parameter ${at + 1}`, kind: "other", type: "" }),
  );
  const session = await connections.open("READ ONLY", limits);
  try {
    let batch: JsonObject[] = [];
    let names: string[] = [];
    for await (const { columns, row } of session.rows(sql, values)) {
      if (names.length === 0) names = columnNames(columns);
      batch.push(
        Object.fromEntries(
          columns.map((column, at): [string, JsonValue] => [names[at] ?? "", toValue(row[at], column)]),
        ),
      );
      if (batch.length < BATCH_ROWS) continue;
      yield batch;
      batch = [];
    }
    yield batch;
  } finally {
    await session.release(true);
  }
}
