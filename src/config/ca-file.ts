// `ca_file`: certificates of authorities that are trusted beside the usual ones, read and checked when the program starts.
import { resolve } from "node:path";
import { messageOf, StartError } from "../domain/error.js";
import { parseCertificates } from "../lib/authorities.js";
import { readRegularFile } from "../lib/regular-file.js";
import type { Found, Sources } from "./setting.js";

/** A file of certificates and what is in it. */
interface CaFile {
  /** Absolute. */
  file: string;
  /** In PEM format, one each. */
  certificates: readonly string[];
}

/** Reads it; in config.json relative to the data directory. Throws StartError when it is missing or holds no certificate. */
export function readCaFile({ value, origin, place }: Found<string>, { dataDir }: Sources): CaFile {
  const file = origin === "config.json" ? resolve(dataDir, value) : resolve(value);
  try {
    return { file, certificates: parseCertificates(readRegularFile(file).toString("latin1")) };
  } catch (error) {
    throw new StartError(
      `${place}: ${file} cannot be used: ${messageOf(error)}. Name a file with the certificate of your authority, in PEM format.`,
      { exitCode: origin === "flag" ? 2 : 1, cause: error },
    );
  }
}
