// Zod schemas of values whose inside this program does not know: any JSON, any JSON object, a point in time.
import { z } from "zod";
import { isObject, type JsonObject, type JsonValue } from "../lib/json.js";

/** Any JSON value; integers beyond 2^53 are bigints in the program and plain numbers on the wire. */
export const AnyJson = z.custom<JsonValue>((value) => value !== undefined);

/** Any JSON object. */
export const AnyObject = z.custom<JsonObject>(isObject, "must be an object").meta({ type: "object" });

/** ISO 8601 in UTC. */
export const Timestamp = z.string().meta({ format: "date-time" });
