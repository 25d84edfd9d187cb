// The token every request must carry: from a flag, a variable, a file or config.json. An unusable one is refused.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { messageOf, StartError } from "../domain/error.js";
import { tokenTrouble } from "../domain/token.js";
import type { Load } from "./input.js";
import type { Origin } from "./layers.js";

/** A token as a header can carry it. Throws StartError: an unusable token must never mean that nobody need show one. */
function checkToken(token: string, place: string, exitCode: 1 | 2): string {
  const value = token.trim();
  const trouble = tokenTrouble(value);
  if (trouble !== undefined) throw new StartError(`${place} ${trouble}`, { exitCode });
  return value;
}

function readTokenFile(path: string, place: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new StartError(`cannot read the token file ${path} (${place}): ${messageOf(error)}`, { cause: error });
  }
}

/** The token, undefined when nobody gave one. Throws StartError for one that is empty or cannot be sent. */
export function pickToken({ layers, flags, file, env, secrets }: Load): string | undefined {
  if (flags.token !== undefined && flags.tokenFile !== undefined)
    throw new StartError("--token and --token-file exclude each other. Give one of them.", { exitCode: 2 });
  const found = (origin: Origin, token: string): string => {
    layers.origins["token"] = origin;
    secrets.learn(token);
    return token;
  };
  if (flags.token !== undefined) return found("flag", checkToken(flags.token, "--token", 2));
  if (flags.tokenFile !== undefined)
    return found("flag", checkToken(readTokenFile(resolve(flags.tokenFile), "--token-file"), flags.tokenFile, 1));
  const direct = env["AGENTD_TOKEN"];
  if (direct !== undefined) return found("AGENTD_TOKEN", checkToken(direct, "AGENTD_TOKEN", 1));
  const path = env["AGENTD_TOKEN_FILE"];
  if (path !== undefined)
    return found("AGENTD_TOKEN_FILE", checkToken(readTokenFile(resolve(path), "AGENTD_TOKEN_FILE"), path, 1));
  layers.origins["token"] = "default";
  if (file.token === undefined) return undefined;
  const value = secrets.read("token in config.json", file.token);
  return value === undefined ? undefined : found("config.json", checkToken(value, "token in config.json", 1));
}
