// The zod schema of config.json and its JSON Schema for editors, made from the tables of settings.
import { z } from "zod";
import { PROVIDER_SETTINGS } from "./provider-table.js";
import { type AnySetting, rowsOf } from "./setting.js";
import { GROUPS, SETTINGS } from "./table.js";

type Shape = Record<string, z.ZodType>;

/** The key by which a file names its own schema. */
export const SCHEMA_KEY = "$schema";

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

const providerShape: Shape = Object.fromEntries(rowsOf(PROVIDER_SETTINGS).map(({ row }) => [row.name, checkOf(row)]));

/** The keys below each group of keys; those of the file itself below "". */
function shapesOf(): Record<string, Shape> {
  const shapes: Record<string, Shape> = {
    "": {},
    ...Object.fromEntries(Object.keys(GROUPS).map((name) => [name, {}])),
  };
  for (const { row } of rowsOf(SETTINGS)) {
    if (row.notInFile) continue;
    const [group, key] = row.name.includes(".") ? row.name.split(".") : ["", row.name];
    const shape = shapes[group ?? ""];
    if (!shape || key === undefined) throw new Error(`the setting ${row.name} is in no group of keys`);
    shape[key] = checkOf(row);
  }
  return shapes;
}

const { "": topShape, ...groupShapes } = shapesOf();

/** The whole of config.json. */
export const ConfigFile = z.strictObject({
  [SCHEMA_KEY]: z.string().optional().describe("Where an editor finds this schema."),
  ...topShape,
  providers: z.record(z.string().min(1), z.strictObject(providerShape)).optional().describe("Model providers by name."),
  ...Object.fromEntries(
    Object.entries(groupShapes).map(([name, shape]) => [
      name,
      z
        .strictObject(shape)
        .optional()
        .describe(GROUPS[name] ?? ""),
    ]),
  ),
});

/** The known keys of each part of the file, by the first key of the part's path; those of the file itself under "". */
export const KNOWN_KEYS: Readonly<Record<string, readonly string[]>> = {
  "": Object.keys(ConfigFile.shape),
  providers: Object.keys(providerShape),
  ...Object.fromEntries(Object.entries(groupShapes).map(([name, shape]) => [name, Object.keys(shape)])),
};

/** The JSON Schema of config.json, for editors. */
export function configJsonSchema(): object {
  return { title: "agentd config.json", ...z.toJSONSchema(ConfigFile, { io: "input" }) };
}
