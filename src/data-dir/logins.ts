// What `agentd login` keeps: the tokens of a person's sign-in to an application, in a file of its own for each, readable by its owner
// only, never served and in no backup. A process that renews one holds a lock, which its death frees, so that the daemon and commands
// beside it never use a refresh token twice. Source: docs/reference.md, "Signing in to an application".
import fs from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { UNNAMED } from "../domain/application-name.js";
import { messageOf, StartError } from "../domain/error.js";
import { readRegularFile } from "../lib/regular-file.js";
import { SqliteDatabase } from "../lib/sqlite.js";
import { writeAtomically } from "./atomic-file.js";
import { makeDirectories, prepareFile } from "./directory.js";
import { isBusy } from "./sqlite-failure.js";

const FOLDER = "logins";
/** Longer than one renewal takes. */
const LOCK_TIMEOUT_MS = 60_000;
const PAUSE_MS = 20;

const LoginSchema = z.object({
  client_id: z.string(),
  token_url: z.string(),
  /** Set when its metadata named the endpoint. */
  issuer: z.string().optional(),
  access_token: z.string(),
  /** Milliseconds since the epoch; missing when the server did not say. */
  expires_at: z.number().optional(),
  /** Missing when the server gave none, and once it refused the one it gave. */
  refresh_token: z.string().optional(),
});

/** One sign-in. */
export type Login = z.infer<typeof LoginSchema>;

/** The sign-ins of an application, by the names of security schemes. */
type Logins = Readonly<Record<string, Login>>;

const fileOf = (dataDir: string, application: string, suffix: string): string =>
  path.join(dataDir, FOLDER, (application === "" ? UNNAMED : application) + suffix);

/** The sign-ins of an application; none where there is no file. Throws StartError naming a file that cannot be used. */
export function readLogins(dataDir: string, application: string): Logins {
  const file = fileOf(dataDir, application, ".json");
  try {
    return z.record(z.string(), LoginSchema).parse(JSON.parse(readRegularFile(file).toString("utf8")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    // Without the cause, which quotes what it could not read.
    if (error instanceof z.ZodError || error instanceof SyntaxError)
      throw new StartError(`${file} cannot be used: it is not what agentd writes. Sign in again with agentd login.`);
    throw new StartError(`${file} cannot be used: ${messageOf(error)}. Sign in again with agentd login.`, {
      cause: error,
    });
  }
}

/** Takes the lock, waiting for another process without holding up this one. */
async function takeLock(file: string): Promise<() => void> {
  makeDirectories(path.dirname(file));
  prepareFile(file);
  const db = new SqliteDatabase(file, { timeout: 0 });
  const deadline = performance.now() + LOCK_TIMEOUT_MS;
  for (;;)
    try {
      db.exec("BEGIN EXCLUSIVE");
      return () => db.close();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) {
        db.close();
        throw new StartError(`${file} cannot be locked: ${messageOf(error)}.`, { cause: error });
      }
      await sleep(PAUSE_MS);
    }
}

/** What may be done to the sign-ins of an application while no other process does. */
interface LoginsChange {
  readonly now: Logins;
  /** On disk once it resolves. */
  save(next: Logins): Promise<void>;
}

/** Changes the sign-ins of an application. Throws StartError, and what `change` throws. */
export async function changeLogins<T>(
  dataDir: string,
  application: string,
  change: (logins: LoginsChange) => Promise<T>,
): Promise<T> {
  const release = await takeLock(fileOf(dataDir, application, ".lock"));
  try {
    const file = fileOf(dataDir, application, ".json");
    return await change({
      now: readLogins(dataDir, application),
      async save(next) {
        if (Object.keys(next).length === 0) return fs.rmSync(file, { force: true });
        const text = `${JSON.stringify(next, undefined, 2)}\n`;
        const fill = (partial: string): Promise<void> => writeFile(partial, text, { flush: true });
        await writeAtomically(file, fill, { replace: true, durable: true });
      },
    });
  } finally {
    release();
  }
}
