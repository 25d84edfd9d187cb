// Components that are loaded when they are first displayed, so that the first page does not pay for them. A browser asks for a file
// of a page once: one that a lost connection or an upgrade kept away is there only after the page was loaded anew, which drafts,
// prompts and turns outlive.
import type { ComponentType, FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../state/api.js";
import { onChange } from "../state/changes.js";
import { loadConfig } from "../state/daemon.js";
import { Spinner } from "./icons.js";

/** A component that loads another one when it is first displayed, or when `load` is called, which never throws. */
type LazyComponent<Props> = FunctionComponent<Props> & { load(): Promise<void> };

/** Until the daemon is asked again whether it is there, in milliseconds: the connection of the page may not have noticed the loss. */
const RETRY_MS = 3_000;
/** How long it may take to answer. */
const PROBE_MS = 5_000;
/** A page that was loaded anew this short ago, in milliseconds, and still lacks a part is not helped by doing it again. */
const RELOAD_PAUSE_MS = 60_000;
const RELOADED_KEY = "agentd.reloaded";

/** Whether the daemon answers, whatever it says. */
async function isThere(): Promise<boolean> {
  try {
    await loadConfig({ signal: AbortSignal.timeout(PROBE_MS) });
    return true;
  } catch (error) {
    return error instanceof ApiError && error.status > 0;
  }
}

function reload(): void {
  sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
  location.reload();
}

const wasReloaded = (): boolean => Date.now() - Number(sessionStorage.getItem(RELOADED_KEY)) < RELOAD_PAUSE_MS;

/** Loads the page anew once the daemon is there; on a click only, where that has just not helped. */
function LoadFailure() {
  const [isUnhelped, setUnhelped] = useState(false);
  const check = async () => {
    if (!(await isThere())) return;
    if (wasReloaded()) setUnhelped(true);
    else reload();
  };
  useEffect(() => {
    void check();
    const stop = onChange(({ kind }) => kind === "reconnected" && void check());
    const timer = setInterval(check, RETRY_MS);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, []);
  return (
    <p class="failure" role="alert">
      This part of the page could not be loaded.{" "}
      {isUnhelped ? (
        <button type="button" class="link" onClick={reload}>
          Reload the page
        </button>
      ) : (
        "The page is loaded anew once the daemon answers."
      )}
    </p>
  );
}

/** A component that is loaded by `importIt`, which imports its file. */
export function lazy<Props extends object>(importIt: () => Promise<ComponentType<Props>>): LazyComponent<Props> {
  let loaded: ComponentType<Props> | "failed" | undefined;
  const load = async () => {
    if (loaded === undefined) loaded = await importIt().catch(() => "failed" as const);
  };
  function Lazy(props: Props) {
    const [, setOver] = useState(false);
    useEffect(() => {
      if (loaded === undefined) void load().then(() => setOver(true));
    }, []);
    if (loaded === undefined) return <Spinner />;
    if (loaded === "failed") return <LoadFailure />;
    const Loaded = loaded;
    return <Loaded {...props} />;
  }
  return Object.assign(Lazy, { load });
}
