// What a database refused, for cases that expect it to.
import { DatabaseFailure } from "../../src/applications/sql/database.js";

/** The failure that something ends in. Throws when it ends well, or in anything else. */
export async function failureOf(outcome: Promise<unknown>): Promise<DatabaseFailure> {
  const error = await outcome.then(
    (value) => new Error(`it went well: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (error instanceof DatabaseFailure) return error;
  throw error;
}
