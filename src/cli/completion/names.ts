// The names that a completion script asks for while a person types: read as they stand in the data directory. Starts, makes and
// migrates nothing, runs no command of config.json, and looks into no directory that is not trusted.
import { join } from "node:path";
import { namedDataDir } from "../../config/settings.js";
import { DATA_DIR } from "../../config/table.js";
import { applicationFiles, namedApplications } from "../../data-dir/application-files.js";
import { findDataDir, refuseForeignFiles } from "../../data-dir/find.js";
import { trustOf } from "../../data-dir/trust.js";
import { UNNAMED } from "../../domain/application-name.js";
import type { TrustCheck } from "../../domain/trust.js";
import { type JsonObject, listOf, objectOf, parseJson } from "../../lib/json.js";
import { readRegularFile } from "../../lib/regular-file.js";
import { fullName } from "../../tools/full-names.js";
import type { NameKind } from "./words.js";

/** A longer list is of no help. */
const MAX_SESSIONS = 200;

interface Place {
  dir: string;
  trust: TrustCheck | undefined;
}

/** The directory that is named, or found and trusted. Undefined where there is none. */
function placeOf(flag: string | undefined): Place | undefined {
  const named = namedDataDir(flag, process.env);
  if (named !== undefined) return { dir: named, trust: undefined };
  const dir = findDataDir(".", DATA_DIR.default);
  if (dir === undefined) return undefined;
  refuseForeignFiles(dir);
  const trust = trustOf(dir);
  return trust && { dir, trust: trust === "whole" ? undefined : trust };
}

/** A file of the directory; nothing of one that is not there, is no JSON or is not trusted. */
function read(file: string, { trust }: Place): JsonObject {
  try {
    const bytes = readRegularFile(file);
    return trust?.faultOf(file, bytes) === undefined ? objectOf(parseJson(bytes.toString("utf8"))) : {};
  } catch {
    return {};
  }
}

function toolNames(place: Place): string[] {
  const taken = new Set<string>();
  const ownNames = (name: string): string[] =>
    listOf(read(applicationFiles(place.dir, name).document, place)["actions"]).map((action) =>
      String(objectOf(action)["name"] ?? ""),
    );
  for (const tool of ownNames("")) taken.add(tool);
  for (const application of namedApplications(place.dir, place.trust).names)
    for (const tool of ownNames(application)) taken.add(fullName(application, tool, taken));
  return [...taken];
}

function applicationNames(place: Place): string[] {
  const hasUnnamed = listOf(read(applicationFiles(place.dir, "").document, place)["actions"]).length > 0;
  return [...(hasUnnamed ? [UNNAMED] : []), ...namedApplications(place.dir, place.trust).names];
}

async function sessionNames({ dir }: Place): Promise<string[]> {
  const { recentSessions } = await import("../../open.js");
  return recentSessions(dir, MAX_SESSIONS);
}

/** A name that can stand on a command line: it has no character that acts, and is no flag. */
const isTypable = (name: string): boolean =>
  name !== "" && !name.startsWith("--") && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name);

/** The names of a kind. Throws whatever keeps them from being read. */
export async function namesOf(kind: NameKind, dataDir: string | undefined): Promise<string[]> {
  const place = placeOf(dataDir);
  if (!place) return [];
  const names: Readonly<Record<NameKind, () => string[] | Promise<string[]>>> = {
    tools: () => toolNames(place),
    applications: () => applicationNames(place),
    providers: () => Object.keys(objectOf(read(join(place.dir, "config.json"), place)["providers"])),
    sessions: () => sessionNames(place),
  };
  return (await names[kind]()).filter(isTypable);
}
