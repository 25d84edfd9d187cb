// The syntax of each dialect: light, so that a statement can be shown without loading a driver.
import type { Dialect } from "./catalogue.js";
import { MYSQL_SYNTAX } from "./mysql/syntax.js";
import { POSTGRES_SYNTAX } from "./postgres/syntax.js";
import { sqliteSyntax } from "./sqlite/syntax.js";
import type { Syntax } from "./statement.js";

const SYNTAXES: Readonly<Record<Dialect, Syntax>> = {
  sqlite: sqliteSyntax,
  postgres: POSTGRES_SYNTAX,
  mysql: MYSQL_SYNTAX,
};

/** How a dialect spells statements. */
export function syntaxOf(dialect: Dialect): Syntax {
  return SYNTAXES[dialect];
}
