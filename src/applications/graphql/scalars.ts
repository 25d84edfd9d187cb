// Scalars of GraphQL, and the usual ones that schemas add, as JSON Schemas. A scalar that nobody knows may be any JSON.
// Source: GraphQL, section 3.5; the-guild.dev/graphql/scalars and the scalars of widely used servers for the rest.
import type { JsonObject } from "../../lib/json.js";

const TEXT: JsonObject = { type: "string" };
const INTEGER: JsonObject = { type: "integer" };
const NUMBER: JsonObject = { type: "number" };
/** Servers differ in how they write what a double cannot hold; a text keeps every digit everywhere. */
const LONG_INTEGER: JsonObject = { type: ["integer", "string"] };
const DECIMAL: JsonObject = { type: ["number", "string"] };
const POSITIVE: JsonObject = { type: "integer", minimum: 1 };
const COUNT: JsonObject = { type: "integer", minimum: 0 };
const formatted = (format: string): JsonObject => ({ type: "string", format });

/** By name, in lower case and without underscores. */
const SCALARS: ReadonlyMap<string, JsonObject> = new Map(
  Object.entries<JsonObject>({
    int: { type: "integer", format: "int32" },
    float: NUMBER,
    string: TEXT,
    boolean: { type: "boolean" },
    // A number is accepted too, and becomes a text.
    id: TEXT,
    long: LONG_INTEGER,
    bigint: LONG_INTEGER,
    int64: LONG_INTEGER,
    uint64: LONG_INTEGER,
    bigserial: LONG_INTEGER,
    short: INTEGER,
    byte: INTEGER,
    int16: INTEGER,
    int32: INTEGER,
    uint: COUNT,
    uint32: COUNT,
    unsignedint: COUNT,
    nonnegativeint: COUNT,
    positiveint: POSITIVE,
    port: COUNT,
    double: NUMBER,
    nonnegativefloat: { type: "number", minimum: 0 },
    positivefloat: { type: "number", exclusiveMinimum: 0 },
    decimal: DECIMAL,
    bigdecimal: DECIMAL,
    bigfloat: DECIMAL,
    numeric: DECIMAL,
    datetime: formatted("date-time"),
    datetimeiso: formatted("date-time"),
    datetimetz: formatted("date-time"),
    gitimestamp: formatted("date-time"),
    iso8601datetime: formatted("date-time"),
    timestamptz: formatted("date-time"),
    date: formatted("date"),
    iso8601date: formatted("date"),
    localdate: formatted("date"),
    // Mostly without the zone that the format "time" of JSON Schema asks for.
    time: { type: "string", description: "a time such as 09:30:00" },
    localtime: { type: "string", description: "a time such as 09:30:00" },
    localdatetime: { type: "string", description: "a date and time without a zone, such as 2026-11-21T09:30:00" },
    duration: { type: "string", description: "a duration such as P1DT2H" },
    iso8601duration: { type: "string", description: "a duration such as P1DT2H" },
    timezone: { type: "string", description: "a time zone such as Europe/Berlin" },
    json: {},
    jsonb: {},
    jsonstring: { type: "string", description: "JSON as a text" },
    jsonobject: { type: "object" },
    object: { type: "object" },
    map: { type: "object" },
    uuid: formatted("uuid"),
    guid: formatted("uuid"),
    url: formatted("uri"),
    uri: formatted("uri"),
    email: formatted("email"),
    emailaddress: formatted("email"),
    ipv4: formatted("ipv4"),
    ipv6: formatted("ipv6"),
    cursor: TEXT,
    countrycode: { type: "string", description: "a country such as DE" },
    currency: { type: "string", description: "a currency such as EUR" },
    phonenumber: { type: "string", description: "a telephone number such as +491701234567" },
    nonemptystring: { type: "string", minLength: 1 },
    html: TEXT,
    markdown: TEXT,
    base64: { type: "string", contentEncoding: "base64" },
    void: { type: "null" },
  }),
);

/** The JSON Schema of a scalar that is known by its name; undefined for any other. */
export function usualScalar(name: string): JsonObject | undefined {
  return SCALARS.get(name.replaceAll("_", "").toLowerCase());
}

/** Whether values of a scalar are files, which do not travel in JSON. Source: GraphQL multipart request specification. */
export function isUpload(name: string): boolean {
  return /^(?:file|.*upload|.*uploadedfile)$/i.test(name);
}
