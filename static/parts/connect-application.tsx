// Connecting an application: an address or a file, what would be imported, and a name. Secrets are not typed here: the lines for
// config.json are displayed, to be copied.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { applicationNameFault } from "../../src/domain/application-name.js";
import type { ApplicationPreview, ConnectRequest } from "../../src/domain/connector.js";
import { withScheme } from "../state/address.js";
import { errorText } from "../state/api.js";
import { connectApplication, connectedNow, previewApplication } from "../state/direct-calls.js";
import { ConnectedNote, PreviewedApplication } from "./connect-preview.js";
import { Spinner } from "./icons.js";

/** A body of the daemon is 32 MiB at most; JSON makes a text longer. */
const MAX_FILE_BYTES = 24 * 1024 * 1024;
const MAX_NAME = 32;
/** For a first look, before there is a title. */
const NEW_NAME = "new-application";

/** A name for an application with this title. */
function nameFor(title: string): string {
  const name = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, MAX_NAME)
    .replace(/-+$/, "");
  return name || "application";
}

/** What is being connected. */
interface Source {
  location?: string;
  document?: string;
}

/** The state of connecting, and its steps. */
function useConnecting() {
  const [baseUrl, setBaseUrl] = useState("");
  const [name, setName] = useState("");
  const [source, setSource] = useState<Source>({});
  const [preview, setPreview] = useState<ApplicationPreview | undefined>();
  const [error, setError] = useState("");
  const [isBusy, setBusy] = useState(false);
  const stop = useRef<AbortController | undefined>(undefined);
  const attempt = async (work: (signal: AbortSignal) => Promise<void>) => {
    setError("");
    setBusy(true);
    stop.current = new AbortController();
    try {
      await work(stop.current.signal);
    } catch (failure) {
      if (!stop.current.signal.aborted) setError(errorText(failure));
    } finally {
      setBusy(false);
    }
  };
  const requestOf = (from: Source, called: string): ConnectRequest => ({
    ...from,
    name: called,
    ...(baseUrl.trim() !== "" && { base_url: withScheme(baseUrl) }),
  });
  const look = (from: Source) =>
    attempt(async (signal) => {
      setPreview(undefined);
      connectedNow.value = undefined;
      setSource(from);
      const found = await previewApplication(requestOf(from, name || NEW_NAME), signal);
      const called = name || nameFor(found.title);
      setName(called);
      // The lines for its credentials have its name in them.
      const isNamed = called === found.name || found.credentials.length === 0;
      setPreview(isNamed ? found : await previewApplication(requestOf(from, called), signal).catch(() => found));
    });
  const connect = () =>
    attempt(async (signal) => {
      const fault = applicationNameFault(name);
      if (fault !== undefined) throw new Error(fault);
      if (!preview) return;
      const request = requestOf(source, name);
      // Another name may have other settings, which decide what is written.
      const now = name === preview.name ? preview : await previewApplication(request, signal);
      await connectApplication({ ...request, digest: now.digest }, now);
      setPreview(undefined);
    });
  const take = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > MAX_FILE_BYTES) return setError("This file is too large here; agentd sync takes it.");
    await look({ document: await file.text() });
  };
  const shown = { preview, error, isBusy, name, baseUrl };
  const onChange = () => setError("");
  return { ...shown, source, onChange, setName, setBaseUrl, look, connect, take, cancel: () => stop.current?.abort() };
}

type Connecting = ReturnType<typeof useConnecting>;

/** Where the description is. */
function WhereForm({ isBusy, look, take }: Connecting) {
  const [address, setAddress] = useState("");
  return (
    <form
      class="connect-form"
      onSubmit={(event) => {
        event.preventDefault();
        const location = withScheme(address);
        setAddress(location);
        if (location !== "") void look({ location });
      }}
    >
      <label for="connect-address">
        Address of your application, of its API documentation, or of its OpenAPI or GraphQL description
      </label>
      <div class="connect-row">
        <input
          id="connect-address"
          type="text"
          inputMode="url"
          placeholder="http://127.0.0.1:8000/openapi.json"
          autocomplete="off"
          spellcheck={false}
          value={address}
          onInput={({ currentTarget: { value } }) => setAddress(value)}
        />
        <button type="submit" class="primary" disabled={isBusy || address.trim() === ""}>
          Look at it
        </button>
      </div>
      <label class="connect-file">
        or drop or choose a file{" "}
        <input
          type="file"
          accept=".json,.yaml,.yml,.graphql,.graphqls,.gql"
          onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
        />
      </label>
    </form>
  );
}

/** What it is called, and where its calls go. */
function NameForm({ preview, baseUrl, source, name, isBusy, setBaseUrl, setName, look, connect }: Connecting) {
  const needsAddress = preview?.base_url === "" || baseUrl !== "";
  return (
    <form
      class="connect-form"
      onSubmit={(event) => {
        event.preventDefault();
        void connect();
      }}
    >
      {needsAddress && (
        <>
          <label for="connect-base">Address that calls go to</label>
          <div class="connect-row">
            <input
              id="connect-base"
              type="text"
              inputMode="url"
              spellcheck={false}
              placeholder="http://127.0.0.1:8000"
              value={baseUrl}
              onInput={({ currentTarget: { value } }) => setBaseUrl(value)}
            />
            <button type="button" disabled={isBusy} onClick={() => void look(source)}>
              Use it
            </button>
          </div>
        </>
      )}
      <label for="connect-name">Name</label>
      <div class="connect-row">
        <input
          id="connect-name"
          value={name}
          maxLength={MAX_NAME}
          onInput={({ currentTarget: { value } }) => setName(value)}
        />
        <button type="submit" class="primary" disabled={isBusy}>
          Connect
        </button>
      </div>
    </form>
  );
}

/** Takes a file that is dropped onto an element. */
function useDrop(element: { current: HTMLElement | null }, take: (file: File | undefined) => void): void {
  const taker = useRef(take);
  taker.current = take;
  useLayoutEffect(() => {
    const area = element.current;
    const allow = (event: DragEvent) => event.preventDefault();
    const drop = (event: DragEvent) => {
      event.preventDefault();
      taker.current(event.dataTransfer?.files[0]);
    };
    area?.addEventListener("dragover", allow);
    area?.addEventListener("drop", drop);
    return () => {
      area?.removeEventListener("dragover", allow);
      area?.removeEventListener("drop", drop);
    };
  }, []);
}

/** The whole of it: where it is, what it has, what it is called. */
export function ConnectApplication() {
  const connecting = useConnecting();
  const { preview, error, isBusy, take, cancel, onChange } = connecting;
  const area = useRef<HTMLElement>(null);
  useDrop(area, (file) => void take(file));
  return (
    <section class="connect" ref={area} aria-label="Connect an application" onInput={onChange}>
      <WhereForm {...connecting} />
      {isBusy && (
        <p role="status">
          <Spinner /> Reading…{" "}
          <button type="button" class="link" onClick={cancel}>
            Stop
          </button>
        </p>
      )}
      {error !== "" && (
        <p class="failure" role="alert">
          {error}
        </p>
      )}
      {preview && <PreviewedApplication preview={preview} />}
      {preview && <NameForm {...connecting} />}
      <ConnectedNote />
    </section>
  );
}
