// Why a call failed, in the application's own words: found in what it answered, whichever of the usual shapes that has. Pure.
// Source: RFC 9457 (problem details); https://jsonapi.org/format/#errors
import { isObject, type JsonObject, type JsonValue, parseJson } from "../lib/json.js";
import { fromPointer } from "../lib/json-pointer.js";
import { faultsOf } from "./argument-fault.js";

/** Characters of a reason: it stands in one or two lines. */
const MAX_REASON = 400;
/** Complaints about single fields that are told one by one. */
const MAX_COMPLAINTS = 4;
/** How deep a reason is looked for. */
const MAX_DEPTH = 5;
/** A longer text is not looked into for JSON or a title. */
const MAX_TEXT = 100_000;

/** Where a sentence stands, the one that says most first. */
const SENTENCES = [
  ...(["detail", "message", "error_description", "errorMessage", "error_message", "Message", "msg"] as const),
  ...(["reason", "description", "defaultMessage", "title", "faultstring"] as const),
];
/** What holds a sentence in an object of its own, or a name of the error. */
const INSIDE = ["error", "fault", "Error", "exception", "details"] as const;
/** Lists, or objects, of complaints about single fields. */
const COMPLAINTS = [
  ...(["errors", "violations", "issues", "fieldErrors", "field_errors", "invalid-params", "invalid_params"] as const),
  ...(["detail", "details"] as const),
];
/** What a complaint calls its field. */
const FIELDS = ["field", "param", "property", "propertyPath", "attribute", "loc", "path", "pointer", "name"] as const;

/** A word of a program, not of a sentence: "not_found", "NOT_FOUND". */
const CODE = /^(?:[a-z][a-z\d]*(?:[_.-][a-z\d]+)*|[A-Z][A-Z\d]*(?:_[A-Z\d]+)+)$/;
/** The daemon's own name for a status of the target. */
const STATUS_CODE = /^http_\d+$/;
/** Sentences that say nothing beside what follows them. */
const EMPTY_SENTENCE =
  /^(?:one or more validation errors occurred|the given data was invalid|validation (?:error|failed)|unprocessable (?:entity|content)|bad request|invalid request|error)\.?$/i;
/** The part of a request that a field is in, as FastAPI names it. */
const PARTS = new Set(["body", "query", "path", "header", "cookie", "data", "attributes"]);

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
/** What two texts have in common that say the same. */
const gist = (text: string): string =>
  oneLine(text)
    .toLowerCase()
    .replace(/[.:!]+$/, "");
/** Whether the first of two texts says all that the other one does. */
const saysAll = (text: string, other: string): boolean => gist(text).includes(gist(other));
/** A complaint about a field, which is named once; "" for none. */
const about = (field: string, text: string): string =>
  field === "" || text.startsWith(`${field}:`) ? text : `${field}: ${text}`;

/** A text that is itself JSON or a page, as what it says. */
function ofText(text: string, depth: number): string | undefined {
  const short = text.trim();
  if (short === "") return undefined;
  if (short.length > MAX_TEXT) return oneLine(short.slice(0, MAX_REASON * 2));
  if (/^[[{]/.test(short))
    try {
      const found = ofValue(parseJson(short), depth + 1);
      if (found !== undefined) return found;
    } catch {
      // No JSON: the text itself.
    }
  if (!short.startsWith("<")) return oneLine(short);
  const title = /<(title|message|faultstring)>([^<]{1,400})<\/\1>/i.exec(short)?.[2];
  return title === undefined ? undefined : oneLine(title);
}

/** The field that a complaint is about; "" for none. */
function fieldOf(complaint: JsonObject): string {
  const { source } = complaint;
  const places = [...FIELDS.map((name) => complaint[name]), ...(isObject(source) ? Object.values(source) : [])];
  for (const place of places) {
    if (Array.isArray(place)) {
      const path = place.filter((part) => typeof part === "number" || typeof part === "string").map(String);
      if (path.length > 0) return path.filter((part, at) => at > 0 || !PARTS.has(part)).join(".");
    }
    if (typeof place === "string" && place !== "")
      return place.startsWith("/")
        ? place
            .slice(1)
            .split("/")
            .filter((part) => !PARTS.has(part))
            .join(".")
        : place;
  }
  return "";
}

function complaintOf(complaint: JsonValue, depth: number): string | undefined {
  const text = ofValue(complaint, depth + 1);
  const field = isObject(complaint) ? fieldOf(complaint) : "";
  return text && about(field, text);
}

/** The first complaints of a list, or of an object of fields with their complaints. */
function complaintsIn(value: JsonValue | undefined, depth: number): string | undefined {
  const list = Array.isArray(value)
    ? value.map((one) => () => complaintOf(one, depth))
    : isObject(value)
      ? Object.entries(value).map(([field, one]) => () => {
          const text = Array.isArray(one) ? complaintsIn(one, depth + 1) : ofValue(one, depth + 1);
          return text && about(field === "base" || field === "non_field_errors" ? "" : field, text);
        })
      : [];
  const said = list.slice(0, MAX_COMPLAINTS).flatMap((say) => say() ?? []);
  const texts = said.filter((text, at) => said.findIndex((other) => gist(other) === gist(text)) === at);
  if (texts.length === 0) return undefined;
  const more = list.length - MAX_COMPLAINTS;
  return more > 0 ? `${texts.join("; ")}; and ${more} more` : texts.join("; ");
}

/** The sentence of an object, before any complaints about fields. */
function sentenceOf(value: JsonObject, depth: number): string | undefined {
  for (const name of SENTENCES) {
    const text = value[name];
    if (typeof text === "string" && text.trim() !== "") return ofText(text, depth);
  }
  for (const name of INSIDE) {
    const inner = value[name];
    if (isObject(inner)) {
      const found = ofValue(inner, depth + 1);
      if (found !== undefined) return found;
    }
  }
  for (const name of ["error", "Error", "code", "type"]) {
    const code = value[name];
    if (typeof code === "string" && code !== "" && !STATUS_CODE.test(code) && !URL.canParse(code))
      return CODE.test(code) ? code.replace(/[_.-]/g, " ").toLowerCase() : oneLine(code);
  }
  return undefined;
}

/** Whether an object is nothing but fields with lists of complaints, as Django REST framework answers. */
function isFieldsOnly(value: JsonObject): boolean {
  const all = Object.values(value);
  return all.length > 0 && all.every((one) => Array.isArray(one) && one.every((text) => typeof text === "string"));
}

function ofObject(value: JsonObject, depth: number): string | undefined {
  let complaints: string | undefined;
  for (const name of COMPLAINTS) {
    const found = value[name];
    // An object of `detail` or `details` is a message of its own, not one of fields.
    const isOfFields = Array.isArray(found) || (isObject(found) && !name.startsWith("detail"));
    complaints ??= isOfFields ? complaintsIn(found, depth) : undefined;
  }
  if (complaints === undefined && isFieldsOnly(value)) return complaintsIn(value, depth);
  const sentence = sentenceOf(value, depth);
  if (complaints === undefined || sentence === undefined) return complaints ?? sentence;
  if (saysAll(sentence, complaints)) return sentence;
  return CODE.test(sentence) || EMPTY_SENTENCE.test(sentence) || saysAll(complaints, sentence)
    ? complaints
    : `${sentence.replace(/[.:]$/, "")}: ${complaints}`;
}

function ofValue(value: JsonValue | undefined, depth: number): string | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (typeof value === "string") return ofText(value, depth);
  if (Array.isArray(value)) return complaintsIn(value, depth);
  return isObject(value) ? ofObject(value, depth) : undefined;
}

/** Why the daemon refused arguments: its sentence where that names all that is wrong, else each fault at its place. */
function ofArguments(result: JsonObject): string | undefined {
  const message = ofValue(result["message"], 0);
  const names = faultsOf(result).map(({ pointer }) => fromPointer(pointer).at(-1) ?? "");
  return names.every((name) => message?.includes(name)) ? message : complaintsIn(result["details"], 0);
}

function cut(reason: string | undefined): string | undefined {
  if (reason === undefined || reason.length <= MAX_REASON) return reason;
  return `${reason.slice(0, MAX_REASON).toWellFormed()}…`;
}

/**
 * The reason that the result of a failed call gives, in the application's own words, on one line of bounded length; without one the
 * daemon's sentence. Undefined when nothing says why, and for a call that only waits.
 */
export function reasonOf(result: JsonValue): string | undefined {
  if (isObject(result) && result["error"] === "confirmation_required") return undefined;
  // Its complaints have the place in the answer, which is no field; they are in the message already.
  if (isObject(result) && result["error"] === "graphql_error") return cut(ofValue(result["message"], 0));
  if (isObject(result) && faultsOf(result).length > 0) return cut(ofArguments(result));
  // What the daemon says of an answer stands around the answer itself.
  const own = isObject(result) && typeof result["error"] === "string" ? ofValue(result["body"], 0) : undefined;
  return cut(own ?? ofValue(result, 0));
}
