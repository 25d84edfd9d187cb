// What a change comes to: the rows it touched as an effect for people, a fingerprint, and the images that put them back.
import { createHash } from "node:crypto";
import type { RowChange } from "../../../domain/effect.js";
import { canonicalJson, type JsonObject, type JsonValue, toJson } from "../../../lib/json.js";
import type { Evidence, Preview } from "../../transport.js";
import type { Change, Restoration, RowImage } from "../database.js";
import { createFingerprint } from "../fingerprint.js";
import { RowCounts } from "../row-counts.js";
import { rowIdentity, type SqliteColumn, type SqliteTable } from "./tables.js";
import type { Reach, TouchedValues, TouchLog } from "./touched.js";
import { fromSqlite, rowSize, type SqliteValue, toExact, toRow, toShownRow } from "./values.js";

/** Most rows and bytes of images; a larger change cannot be taken back. Source: docs/databases.md, "Taking back". */
const MAX_IMAGES = 1_000;
const MAX_IMAGE_BYTES = 16 * 1024 * 1024;
/** Most rows of an effect that are handed on, and their bytes; what is shown of them is cut further. */
const MAX_CHANGES = 1_000;
const MAX_CHANGE_BYTES = 4 * 1024 * 1024;

/** What identifies the columns of tables: another text means that a table has changed. */
export function sqliteSchemaHash(tables: readonly SqliteTable[]): string {
  const described = [...tables]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(
      ({ name, columns, rowid }): JsonValue => [
        name,
        rowid ?? null,
        columns.map(
          ({ name: column, type, isNotNull, keyPosition, isGenerated }): JsonValue => [
            column,
            type,
            isNotNull,
            keyPosition,
            isGenerated,
          ],
        ),
      ],
    );
  return createHash("sha256").update(canonicalJson(described)).digest("base64url");
}

/** The key of a row as a person knows it: its primary key, or its rowid. */
export function shownKey({ table, id, before, after }: TouchedValues): JsonObject {
  const row = after ?? before ?? [];
  if (table.key.length === 0)
    return toRow(
      id,
      rowIdentity(table).map((name) => ({ name, kind: "integer" })),
    );
  const pairs = table.columns.flatMap(({ name, kind }, at): [string, JsonValue][] =>
    table.key.includes(name) ? [[name, fromSqlite(row[at] ?? null, kind)]] : [],
  );
  return Object.fromEntries(pairs);
}

const shownRow = (table: SqliteTable, row: readonly SqliteValue[] | null): JsonObject | null =>
  row && toShownRow(row, table.columns);

function exactRow(names: readonly string[], row: readonly SqliteValue[]): JsonObject {
  return Object.fromEntries(names.map((name, at) => [name, toExact(row[at] ?? null)]));
}

/** A row so that it can be put back as it was, digits and storage classes kept. */
function imageOf({ table, id, before, after }: TouchedValues): RowImage {
  const names = table.columns.map(({ name }) => name);
  return {
    table: { name: table.name },
    key: exactRow(rowIdentity(table), id),
    before: before && exactRow(names, before),
    after: after && exactRow(names, after),
  };
}

/** Bytes that are no UTF-8 cannot be put back: they arrive as this character. */
const isLossy = (row: readonly SqliteValue[] | null): boolean =>
  row?.some((value) => typeof value === "string" && value.includes("\ufffd")) ?? false;

const fingerprintColumns = (columns: readonly SqliteColumn[], { hasIntegerKey }: SqliteTable) =>
  columns.map(({ name, kind, default: value, keyPosition }) => ({
    name,
    kind,
    hasDefault: value !== null || (keyPosition > 0 && hasIntegerKey),
  }));

/** What the call itself sets in a row. */
function setBy(change: Change | Restoration, { table, after }: TouchedValues): readonly string[] {
  // What is put back is exact, wherever it is.
  if (change.operation === "restore") return table.columns.map(({ name }) => name);
  if (change.table.name !== table.name || after === null) return [];
  const key = Object.entries(change.key);
  const isOwn = change.operation === "create" || key.every(([name]) => table.key.includes(name));
  return isOwn ? Object.keys(change.values) : [];
}

/** Everything that is known of a change before it is made final. */
export interface ChangeEvidence {
  preview: Preview;
  images: Restoration | undefined;
}

const NOTES = {
  replaces: "a trigger or constraint replaces rows; what it deletes is not seen",
  unseen: (names: readonly string[]): string => `what is written to ${names.join(", ")} cannot be shown`,
  many: (count: number): string => `${count} rows are too many to be put back`,
  bytes: "the rows are too large to be put back",
  lossy: "a text is not UTF-8, so that it cannot be put back as it was",
};

function notesOf({ replaces, unseen }: Reach): string[] {
  return [...(replaces ? [NOTES.replaces] : []), ...(unseen.length > 0 ? [NOTES.unseen(unseen)] : [])];
}

/** Goes through all rows that a change touched. */
export function sqliteEvidence(log: TouchLog, change: Change | Restoration): ChangeEvidence {
  const counts = new RowCounts();
  const changes: RowChange[] = [];
  const images: RowImage[] = [];
  const fingerprint = createFingerprint();
  let [rows, changeBytes, imageBytes, isLost] = [0, 0, 0, false];
  for (const touched of log.rows()) {
    const { table, before, after } = touched;
    rows++;
    counts.add(table.name, touched);
    const shown = { key: shownKey(touched), before: shownRow(table, before), after: shownRow(table, after) };
    const columns = fingerprintColumns(table.columns, table);
    fingerprint.add({ table: table.name, ...shown, columns, set: setBy(change, touched) });
    if (changes.length < MAX_CHANGES && changeBytes < MAX_CHANGE_BYTES) {
      changes.push({ resource: table.name, ...shown });
      changeBytes += toJson(shown).length;
    }
    isLost ||= isLossy(before) || isLossy(after);
    if (images.length > MAX_IMAGES || imageBytes > MAX_IMAGE_BYTES) continue;
    imageBytes += rowSize(before) + rowSize(after);
    if (imageBytes > MAX_IMAGE_BYTES) continue;
    const image = imageOf(touched);
    images.push(image);
    imageBytes += toJson(image).length - rowSize(before) - rowSize(after);
  }
  const tables = counts.all;
  const tooMuch =
    images.length > MAX_IMAGES
      ? NOTES.many(rows)
      : imageBytes > MAX_IMAGE_BYTES
        ? NOTES.bytes
        : isLost
          ? NOTES.lossy
          : undefined;
  const unseen = notesOf(log.reach);
  const notes = [...unseen, ...(tooMuch === undefined ? [] : [tooMuch])];
  const isKnown = tooMuch === undefined && !log.reach.replaces;
  const used = log.reach.tables.filter(({ name }) => counts.has(name));
  return {
    preview: {
      effect: {
        tables,
        changes,
        complete: unseen.length === 0,
        ...(notes.length > 0 && { note: notes.join("; ") }),
      },
      fingerprint: fingerprint.digest(tables),
      undo: !isKnown ? "impossible" : log.reach.unseen.length > 0 ? "partial" : "possible",
    },
    images: isKnown ? { operation: "restore", images, schemaHash: sqliteSchemaHash(used) } : undefined,
  };
}

/** The evidence as it is handed to the daemon. */
export function toEvidence({ preview, images }: ChangeEvidence): Evidence {
  const { effect, undo } = preview;
  if (undo === "impossible" || !images) return { effect, undo: "impossible" };
  return { effect, undo, images: images as unknown as JsonObject };
}
