// Connecting an application to a running daemon: what a description would import is displayed first, and connected as it was
// displayed. Implemented in src/applications/connect/, used by src/server/.
import type { z } from "zod";
import type { ApplicationPreviewSchema, ConnectedApplicationSchema } from "./schemas/direct.js";

/** Kinds of descriptions that can be read for a client: they are texts, and lead to no command, file or database. */
export const CONNECTABLE_KINDS = ["openapi", "graphql"] as const;

/** A description, as a client names or sends it. */
export interface ConnectRequest {
  /** Found out from the description without it. */
  kind?: (typeof CONNECTABLE_KINDS)[number] | undefined;
  /** Name of the application; "" for the one without a name. */
  name: string;
  /** An http(s) address. */
  location?: string | undefined;
  /** The text of the description itself. */
  document?: string | undefined;
  /** Where calls go, in place of what the description says. */
  base_url?: string | undefined;
}

/** What connecting would import. */
export type ApplicationPreview = z.infer<typeof ApplicationPreviewSchema>;

/** What was connected. */
export type ConnectedApplication = z.infer<typeof ConnectedApplicationSchema>;

/** Reads descriptions for clients. */
export interface Connector {
  /**
   * Reads a description and says what it would import; writes nothing. Throws AppError invalid_body saying what is wrong with the
   * description and what to do, conflict for a name that is taken, busy while too many are read.
   */
  preview(request: ConnectRequest, signal: AbortSignal): Promise<ApplicationPreview>;
  /**
   * Reads it again and writes the document, if it is still the one of the preview that `digest` names. Throws as `preview` does, and
   * conflict for another document.
   */
  connect(request: ConnectRequest & { digest: string }, signal: AbortSignal): Promise<ConnectedApplication>;
}
