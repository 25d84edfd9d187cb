// Components that are loaded when they are first displayed, so that the first page does not pay for them.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { errorText } from "../state/api.js";
import { Spinner } from "./icons.js";

/** A component that loads another one when it is first displayed. `load` imports its file; a failure is told, with a way to try again. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [, setState] = useState(0);
    const [error, setError] = useState("");
    const start = () => {
      setError("");
      load().then(
        (component) => {
          loaded = component;
          setState((count) => count + 1);
        },
        (failure: unknown) => setError(errorText(failure)),
      );
    };
    useEffect(() => {
      if (loaded === undefined) start();
    }, []);
    const Loaded = loaded;
    if (Loaded !== undefined) return <Loaded {...props} />;
    if (error === "") return <Spinner />;
    return (
      <p class="failure" role="alert">
        {error}{" "}
        <button type="button" class="link" onClick={start}>
          Try again
        </button>
      </p>
    );
  };
}
