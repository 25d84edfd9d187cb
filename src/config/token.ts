// The token every request must carry: from a flag, a variable, a file or config.json. An unusable one is refused.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { StartError, usageError } from "../domain/error.js";
import { tokenFault } from "../domain/token.js";
import { fileFault } from "../lib/file-fault.js";
import type { Found, Sources } from "./setting.js";

const IN_FILE = "token in config.json";

function readTokenFile(path: string, place: string, { secrets }: Sources): string {
  secrets.note(resolve(path));
  try {
    return readFileSync(resolve(path), "utf8");
  } catch (error) {
    throw new StartError(`cannot read the token file ${resolve(path)} (${place}): ${fileFault(error)}.`, {
      cause: error,
    });
  }
}

/** Where the token stands, its file read. Unlike other settings, an empty variable is a value: it never means "no token". */
export function findToken(sources: Sources): Found<string> | undefined {
  const { flags, env, file, secrets } = sources;
  const { token, tokenFile } = flags as { token?: string; tokenFile?: string };
  if (token !== undefined && tokenFile !== undefined)
    throw usageError("--token and --token-file exclude each other. Give one of them.");
  if (token !== undefined) return { value: token, origin: "flag", place: "--token" };
  if (tokenFile !== undefined)
    return { value: readTokenFile(tokenFile, "--token-file", sources), origin: "flag", place: tokenFile };
  const { AGENTD_TOKEN: direct, AGENTD_TOKEN_FILE: path } = env;
  if (direct !== undefined) return { value: direct, origin: "AGENTD_TOKEN", place: "AGENTD_TOKEN" };
  if (path !== undefined)
    return { value: readTokenFile(path, "AGENTD_TOKEN_FILE", sources), origin: "AGENTD_TOKEN_FILE", place: path };
  const reference = file["token"];
  const value = typeof reference === "string" ? secrets.read(IN_FILE, reference) : undefined;
  return value === undefined ? undefined : { value, origin: "config.json", place: IN_FILE };
}

/** A token as a header can carry it. Throws StartError: an unusable token must never mean that none is needed. */
export function checkToken({ value, place }: Found<string>, { secrets }: Sources): string {
  const token = value.trim();
  const trouble = tokenFault(token);
  if (trouble !== undefined) throw new StartError(`${place} ${trouble}`, { exitCode: place === "--token" ? 2 : 1 });
  secrets.learn(token);
  return token;
}
