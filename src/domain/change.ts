// What changed anywhere in the daemon, for clients that keep lists of it: names and states, no contents.
// Source: docs/reference.md, "Changes".
import type { z } from "zod";
import type { ChangeSchema } from "./schemas/change.js";

/** One change. */
export type DaemonChange = z.infer<typeof ChangeSchema>;
