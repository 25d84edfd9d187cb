// The interface to descriptions: a location becomes a schema document and a report of what was imported, skipped and why.
// A source knows one kind of description; it knows nothing of data directories, models or how actions are run.
import type { JsonObject } from "../lib/json.js";
import type { ServerProgram } from "./transport.js";

/** What a source is pointed at. */
export interface SourceInput {
  /** A file path, an http(s) URL, or "-" for standard input. */
  location: string;
  /** The program to be read in place of a location, for what speaks over its standard streams. */
  program?: ServerProgram;
  /** Whether an MCP server is believed what it says of the safety of its tools. */
  trustsAnnotations?: boolean;
  /** Whether a role that may do anything is given free queries. */
  allowsSuperuser?: boolean;
  /** Takes precedence over the description's own. */
  baseUrl?: string;
  /** Follow `$ref`s to other hosts and to files outside the description's folder. */
  allowExternal?: boolean;
  /** Headers for fetching the description itself; they go to the location's own origin only. */
  headers?: Record<string, string>;
  /** How to sign in where the description is not for everybody; for the location's own origin only. */
  access?: DescriptionAccess;
  /** Gets what is done next, in a few words, such as "making tools". */
  onStep?: (what: string) => void;
}

/** The operator's credentials for the application that serves a description. */
export interface DescriptionAccess {
  /** By the names of their security schemes. */
  credentials: Readonly<Record<string, string>>;
  /** What is known of these schemes, from a document of the same application. */
  schemes: Readonly<Record<string, JsonObject>>;
  /** What to do when the address refuses all the same; undefined when nothing is known of it. */
  hint?: string;
}

/** One operation that did not become a tool. */
export interface Skipped {
  operation: string;
  reason: string;
}

/** One tool that is not called what the description calls its operation. */
interface Renamed {
  /** How the id was made, for people: "class and function". */
  pattern: string;
  from: string;
  to: string;
}

/** What `sync` prints. */
export interface ImportReport {
  /** What the description has of `things`. */
  operations: number;
  /** What becomes tools, in the plural; operations where this is missing. */
  things?: string;
  imported: number;
  skipped: Skipped[];
  /** Tools whose ids a generator made. */
  renamed: Renamed[];
  /** Tools that count as changes and whose words only read, by name. */
  readsByWords: string[];
  /** What a person should know though nothing failed. */
  warnings: string[];
}

/** A description, read. `document` is written to disk as it is (the format of a schema document, version 1). */
export interface Imported {
  document: JsonObject;
  /** Of the address it was fetched from; undefined for a file. */
  origin?: string | undefined;
  /** Whether the address in the document is the one that was named, and none that a description chose. */
  isNamed?: boolean;
  /** Where it was found and why, when it is not what the location names. */
  found?: string | undefined;
  report: ImportReport;
}

/** One kind of description. */
export interface Source {
  readonly kind: string;
  /** Throws StartError naming the location and what to do when it cannot be read or is not such a description. */
  read(input: SourceInput): Promise<Imported>;
}
