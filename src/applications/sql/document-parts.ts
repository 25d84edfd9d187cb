// The parts that tools of databases are made of, and the tools that belong to no table: functions and free queries. Pure.
import type { JsonObject } from "../../lib/json.js";
import type { Column, DatabaseCatalogue, Routine } from "./catalogue.js";
import type { SqlDescription } from "./description.js";
import { nameArguments } from "./names.js";
import { columnSchema } from "./schema.js";

/** Characters of a description that a database may give of one thing. */
const MAX_TEXT = 500;

/** A text of the database, cut to what one thing may say of itself. */
export function shortText(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

/** The schema of arguments, or of an object among them. */
export const object = (members: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: "object",
  properties: members,
  required: [...required],
  additionalProperties: false,
});

/** An action; `rest` is verb, safety, parameters and transport. */
export const action = (name: string, description: string, rest: JsonObject): JsonObject => ({
  name,
  description,
  provenance: "declared",
  ...rest,
});

/** The tool of a function. */
export function routineAction(
  routine: Routine,
  { name, dialect }: { name: string; dialect: DatabaseCatalogue["dialect"] },
): JsonObject {
  const args = nameArguments(routine.parameters.map((parameter) => parameter.name));
  const described = routine.parameters.map(({ type, kind }, at): [string, JsonObject] => {
    const column: Column = {
      name: args[at] ?? "",
      type,
      kind,
      isNullable: true,
      hasDefault: false,
      isGenerated: false,
    };
    return [args[at] ?? "", columnSchema(column, { dialect, reference: undefined })];
  });
  const transport: SqlDescription = {
    kind: "sql",
    dialect,
    operation: "routine",
    routine: routine.name,
    is_volatile: routine.isVolatile,
    parameters: routine.parameters.map((parameter, at) => {
      const { name: own, type, kind } = parameter;
      const argument = args[at] ?? own;
      return argument === own ? { name: own, type, kind } : { name: own, type, kind, argument };
    }),
  };
  const required = args.filter((_, at) => routine.parameters[at]?.hasDefault === false);
  return action(name, routine.comment ? shortText(routine.comment) : `The function ${routine.name.name}.`, {
    verb: "action",
    safety: routine.isVolatile ? "destructive" : "read_only",
    parameters: object(Object.fromEntries(described), required),
    transport: transport as JsonObject,
  });
}

const PLACEHOLDERS = { sqlite: "?", mysql: "?", postgres: "$1, $2" } as const;
const DIALECT_NAMES = { sqlite: "SQLite", mysql: "MySQL", postgres: "PostgreSQL" } as const;

/** The tool of free queries. */
export function queryAction(name: string, dialect: DatabaseCatalogue["dialect"]): JsonObject {
  const transport: SqlDescription = { kind: "sql", dialect, operation: "query" };
  return action(
    name,
    `One SELECT of ${DIALECT_NAMES[dialect]} over any tables, for what no other tool gives: joins, sums, groups. It cannot change anything.`,
    {
      verb: "list",
      safety: "read_only",
      parameters: object(
        {
          sql: {
            type: "string",
            minLength: 1,
            description: `the statement; ${PLACEHOLDERS[dialect]} stand for parameters`,
          },
          parameters: { type: "array", items: {}, description: "values of the placeholders, in order" },
        },
        ["sql"],
      ),
      transport: transport as JsonObject,
    },
  );
}
