// A large result: loaded when it is displayed.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { errorText } from "../state/api.js";
import type { MarkedCell } from "../state/marked-cell.js";
import type { LoadedResult } from "../state/results.js";
import { size } from "./format.js";
import { Spinner } from "./icons.js";
import { Value } from "./value.js";

/** What is loaded by a function, as `draw` displays it; `length` is its size, for the time until it is here. */
function Loaded<T>(props: { load: () => Promise<T>; length: number; draw: (loaded: T) => ComponentChildren }) {
  const [loaded, setLoaded] = useState<{ value: T } | undefined>();
  const [error, setError] = useState("");
  useEffect(() => {
    let isGone = false;
    props.load().then(
      (value) => isGone || setLoaded({ value }),
      (failure: unknown) => isGone || setError(errorText(failure)),
    );
    return () => {
      isGone = true;
    };
  }, []);
  if (loaded !== undefined) return <>{props.draw(loaded.value)}</>;
  if (error !== "") return <p class="error-text">{error}</p>;
  return (
    <p class="faint" aria-busy={true}>
      <Spinner /> Loading {size(props.length)}
    </p>
  );
}

/** A result that is loaded by a function. */
export function LoadedValue(props: {
  load: () => Promise<LoadedResult>;
  length: number;
  label: string;
  history_id?: number | undefined;
  tool?: string | undefined;
  marked?: MarkedCell | undefined;
}) {
  const { load, length, ...how } = props;
  return (
    <Loaded
      load={load}
      length={length}
      draw={({ value, source, loadRest }) => <Value value={value} source={source} loadRest={loadRest} {...how} />}
    />
  );
}
