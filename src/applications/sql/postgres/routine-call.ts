// A call of a function. One that only reads runs in a transaction that cannot write; a volatile one is a change of which only the counts
// are known.

import { columnNames } from "../column-names.js";
import type { ChangeOptions, Database } from "../database.js";
import { countsNow } from "./counts.js";
import { postgresEvidence } from "./evidence.js";
import { finish } from "./finish.js";
import { HeldRows } from "./held-rows.js";
import { toParameterText } from "./parameters.js";
import { type ReadContext, rowObject } from "./read.js";
import { quoteName } from "./syntax.js";
import { USUAL_SCHEMA } from "./usual-schema.js";

type Call = Parameters<NonNullable<Database["callRoutine"]>>[0];

type RoutineResult = Awaited<ReturnType<NonNullable<Database["callRoutine"]>>>;

/** An argument without a name is called `$1`, `$2` … in the catalogue and goes by its place. */
function callText({ name, arguments: given }: Call): string {
  const places = given.map((one, at) => {
    const place = `$${at + 1}::${one.type}`;
    return /^\$\d+$/.test(one.name) ? place : `${quoteName(one.name)} => ${place}`;
  });
  return `SELECT * FROM ${quoteName(name.schema ?? USUAL_SCHEMA)}.${quoteName(name.name)}(${places.join(", ")})`;
}

/** See Database.callRoutine. */
export async function callPostgresRoutine(
  { connections, types }: ReadContext,
  call: Call,
  options: ChangeOptions & { isVolatile: boolean },
): Promise<RoutineResult> {
  const session = await connections.open(options.isVolatile ? "READ WRITE" : "READ ONLY", options);
  try {
    const values = call.arguments.map(({ name, type, kind, value }) => toParameterText(value, { name, type, kind }));
    const countsBefore = options.isVolatile
      ? await countsNow(session)
      : { tables: new Map<string, never>(), files: "" };
    const answer = await session.run(callText(call), values);
    await types.learn(
      answer.fields.map(({ dataTypeID }) => dataTypeID),
      session,
    );
    const names = columnNames(answer.fields);
    const rows = answer.rows.map((row) => rowObject(row, names, { fields: answer.fields, types }));
    if (!options.isVolatile) return { rows };
    await session.run("SET CONSTRAINTS ALL IMMEDIATE");
    const held = new HeldRows();
    held.gap = "what a function does is known by its counts only";
    const { evidence, fingerprint } = await postgresEvidence(
      { held, countsBefore, row: null, setIn: () => [] },
      { session, types },
    );
    const preview = { effect: evidence.effect, fingerprint, undo: evidence.undo };
    const outcome = await finish({ evidence, preview, options, session, connections });
    return { rows, preview, changed: outcome === "changed" };
  } finally {
    await connections.release(session, true);
  }
}
