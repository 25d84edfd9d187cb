// What an application asks a person for in the middle of a call, and the answer. It is held like a call: whoever may decide held
// calls may answer it.
// Source: docs/reference.md, "Questions of an application".
import type { z } from "zod";
import type { JsonObject } from "../lib/json.js";
import type { InputRequestSchema } from "./schemas/event.js";

/** A form, or a page that a person is to visit. */
export type InputRequest = z.infer<typeof InputRequestSchema>;

/** `decline`: a person said no. `cancel`: nobody answered. */
export type InputAnswer = { action: "accept"; values: JsonObject } | { action: "decline" } | { action: "cancel" };
