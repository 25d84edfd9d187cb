// The request of a call, as it would be or was sent: method and address on one line, nothing hidden, then the body. Headers are
// folded away: a value the call itself puts into one is among its arguments.
import { isObject, type JsonObject } from "../../src/lib/json.js";
import { counted } from "./format.js";
import { Json } from "./json.js";
import { Revealed } from "./reveal.js";

/** A request in full. */
export function RequestView({ request }: { request: JsonObject }) {
  const { method, url, statement, headers, body, ...rest } = request;
  const line = [method, url, statement].filter((part) => typeof part === "string").join(" ");
  return (
    <>
      <p class="label">Request</p>
      {line !== "" && (
        <p class="request-line">
          <Revealed text={line} />
        </p>
      )}
      {body !== undefined && <Json value={body} whole label="Body" />}
      {Object.keys(rest).length > 0 && <Json value={rest} whole label="Rest of the request" />}
      {headers !== undefined && (
        <details>
          <summary>{isObject(headers) ? counted(Object.keys(headers).length, "header") : "Headers"}</summary>
          <Json value={headers} whole label="Headers" />
        </details>
      )}
    </>
  );
}
