// The providers and models that a prompt may choose, each with a test: one tiny call without tools, which the limits count.
import { useEffect, useState } from "preact/hooks";
import type { OfferedProvider } from "../../../src/domain/model-choice.js";
import { errorText, requestJson, requestList } from "../../state/api.js";
import { duration } from "../format.js";
import { Icon, Spinner } from "../icons.js";

/** What a test answers. */
interface Tested {
  ok: boolean;
  model?: string;
  error?: string;
  duration_ms: number;
}

function Test({ provider }: { provider: OfferedProvider }) {
  const [state, setState] = useState<"idle" | "busy" | Tested>("idle");
  const start = () => {
    setState("busy");
    requestJson(`/-/providers/${encodeURIComponent(provider.name)}/test`, { method: "POST", body: {} }).then(
      (answer) => setState(answer as Tested),
      (failure: unknown) => setState({ ok: false, error: errorText(failure), duration_ms: 0 }),
    );
  };
  return (
    <div class="settings-test">
      <button type="button" onClick={start} disabled={state === "busy"} aria-label={`Test ${provider.name}`}>
        {state === "busy" ? <Spinner /> : null} Test
      </button>
      <span role="status">
        {typeof state === "object" &&
          (state.ok ? (
            <span class="settings-good">
              <Icon name="check" /> {state.model} answered in {duration(state.duration_ms)}
            </span>
          ) : (
            <span class="error-text">{state.error}</span>
          ))}
      </span>
    </div>
  );
}

/** All of them, the one in use first. */
export function Models({ file }: { file: string }) {
  const [providers, setProviders] = useState<readonly OfferedProvider[] | undefined>();
  const [error, setError] = useState("");
  useEffect(() => {
    requestList<OfferedProvider>("/-/providers", "providers").then(setProviders, (failure: unknown) =>
      setError(errorText(failure)),
    );
  }, []);
  if (error !== "") return <p class="failure">{error}</p>;
  if (providers === undefined) return <Spinner />;
  return (
    <>
      <ul class="settings-list">
        {providers.map((provider) => (
          <li key={provider.name} class="settings-provider">
            <div>
              <strong>{provider.name}</strong>{" "}
              <span class="faint">
                {provider.models.join(", ")}
                {provider.default && " · in use"}
              </span>
              {provider.error !== undefined && <p class="error-text">{provider.error}</p>}
            </div>
            {provider.error === undefined && <Test provider={provider} />}
          </li>
        ))}
      </ul>
      <p class="faint">
        They are configured in {file}, under <code>providers</code>.
      </p>
    </>
  );
}
