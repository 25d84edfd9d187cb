// The request of a call, as it would be or was sent: method and address on one line, nothing hidden, and whatever else it has.
import type { JsonObject } from "../src/json.js";
import { Revealed } from "./reveal.js";
import { Json } from "./value.js";

/** Shows a rendered request in full. */
export function RequestView({ request }: { request: JsonObject }) {
  const { method, url, ...rest } = request;
  const line = [method, url].filter((part) => typeof part === "string").join(" ");
  return (
    <>
      <h4>Request</h4>
      {line !== "" && (
        <p class="request-line">
          <Revealed text={line} />
        </p>
      )}
      {Object.keys(rest).length > 0 && <Json value={rest} whole label="Rest of the request" />}
    </>
  );
}
