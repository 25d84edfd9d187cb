// How SQLite spells statements.
import type { Syntax } from "../statement.js";

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const sqliteSyntax: Syntax = {
  quote,
  parameter: () => "?",
  result: ({ name }) => quote(name),
  text: ({ name }) => quote(name),
  // Its LIKE makes no difference between the cases of ASCII letters.
  like: (text, pattern) => `${text} LIKE ${pattern} ESCAPE '\\'`,
  isNumber: (text) => `typeof(${text}) IN ('integer', 'real')`,
  isNullFirst: true,
  noColumns: "DEFAULT VALUES",
};
