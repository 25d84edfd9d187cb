// The schema whose name goes without saying. Statements name it all the same, so that no search_path leads them to another table.
import type { TableName } from "../catalogue.js";

/** Where names without a schema are. */
export const USUAL_SCHEMA = "public";

/** A name of the catalogue. */
export function toName(schema: string, name: string): TableName {
  return schema === USUAL_SCHEMA ? { name } : { schema, name };
}

/** A name as people read it. */
export function shownName({ schema, name }: { schema: string; name: string }): string {
  return schema === USUAL_SCHEMA ? name : `${schema}.${name}`;
}

/** A table by its whole name, as statements need it. */
export function qualifiedName({ schema = USUAL_SCHEMA, name }: TableName): Required<TableName> {
  return { schema, name };
}
