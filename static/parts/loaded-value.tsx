// A large result: loaded when it is displayed.
import { useEffect, useState } from "preact/hooks";
import type { JsonValue } from "../../src/lib/json.js";
import { errorText } from "../state/api.js";
import { size } from "./format.js";
import { Spinner } from "./icons.js";
import { Value } from "./value.js";

/** A result that is loaded by a function; `length` is its size, for the time until it is here. */
export function LoadedValue(props: { load: () => Promise<JsonValue>; length: number; label: string }) {
  const [value, setValue] = useState<JsonValue | undefined>();
  const [error, setError] = useState("");
  useEffect(() => {
    let isGone = false;
    props.load().then(
      (loaded) => isGone || setValue(loaded),
      (failure: unknown) => isGone || setError(errorText(failure)),
    );
    return () => {
      isGone = true;
    };
  }, []);
  if (value !== undefined) return <Value value={value} label={props.label} />;
  if (error !== "") return <p class="error-text">{error}</p>;
  return (
    <p class="faint" aria-busy={true}>
      <Spinner /> Loading {size(props.length)}
    </p>
  );
}
