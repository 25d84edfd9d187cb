// Rows of a table of settings as the zod object that config.json has to fit: a dot in a row's name is an object of its own.
import { z } from "zod";
import { type AnySetting, rowsOf, type SettingTable } from "./setting.js";

/** The objects of keys in config.json by the last key of their path, for editors. */
const GROUPS: Readonly<Record<string, string>> = {
  target: "The application.",
  notify: "Who is told when a call waits for confirmation.",
  limits: "What sessions and days may take.",
  session: "What each session may take.",
  day: "What all sessions together may take a day (UTC).",
  safety: "The safety modes in force from the start.",
};

function checkOf(row: AnySetting): z.ZodType {
  // Each value of a record is described by itself.
  const secret =
    row.isSecret && !row.kind.isRecord ? ": env:NAME, file:PATH, or (with a warning) the value itself" : "";
  const check = row.isRequired ? row.kind.json : row.kind.json.optional();
  return check.meta({
    description: `${row.description}${secret}.`,
    default: row.default,
  });
}

const isBelow =
  (path: string) =>
  ({ name }: AnySetting): boolean =>
    name.startsWith(path);

function shapeBelow(path: string, rows: readonly AnySetting[]): Record<string, z.ZodType> {
  const shape: Record<string, z.ZodType> = {};
  for (const row of rows) {
    const [key = "", ...rest] = row.name.slice(path.length).split(".");
    if (Object.hasOwn(shape, key)) continue;
    const inner = `${path}${key}.`;
    if (rest.length === 0) shape[key] = checkOf(row);
    else {
      const group = z.strictObject(shapeBelow(inner, rows.filter(isBelow(inner))));
      shape[key] = group.optional().describe(GROUPS[key] ?? "");
    }
  }
  return shape;
}

/** The object a table describes in config.json; `extra` are keys beside those of the table. */
export function objectSchema(table: SettingTable, extra: Record<string, z.ZodType> = {}): z.ZodObject {
  const rows = rowsOf(table).flatMap(({ row }) => (row.notInFile ? [] : [row]));
  return z.strictObject({ ...shapeBelow("", rows), ...extra });
}
