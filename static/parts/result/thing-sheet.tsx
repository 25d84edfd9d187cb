// The thing that was opened from a result, at the side of the page: its fields, with links to other things, and the way back.
import { useEffect, useState } from "preact/hooks";
import { wordsOf } from "../../../src/lib/name-words.js";
import { singularOf } from "../../../src/lib/plural.js";
import { errorText } from "../../state/api.js";
import { toolsByName } from "../../state/daemon.js";
import { closeThings, type LoadedThing, loadThing, opened, stepThing, type Thing } from "../../state/things.js";
import { labelOf } from "../../values/names.js";
import { plainText } from "../../values/rows.js";
import { Icon, Spinner } from "../icons.js";
import { ResultView } from "./result-view.js";
import { Sheet } from "./sheet.js";

/** A thing in a few words: "Customer 17". */
function titleOf({ tool, key }: Thing): string {
  const resource = toolsByName.value.get(tool)?.resource ?? tool;
  const noun = wordsOf(resource).map(singularOf).join(" ");
  return `${labelOf(noun)} ${plainText(key)}`;
}

function Content({ thing }: { thing: Thing }) {
  const [loaded, setLoaded] = useState<LoadedThing | undefined>(undefined);
  const [error, setError] = useState("");
  useEffect(() => {
    const aborted = new AbortController();
    loadThing(thing, aborted.signal).then(setLoaded, (failure: unknown) => {
      if (!aborted.signal.aborted) setError(errorText(failure));
    });
    return () => aborted.abort();
  }, [thing]);
  if (error !== "")
    return (
      <p class="error-text" role="alert">
        {error}
      </p>
    );
  if (loaded === undefined) return <Spinner />;
  return <ResultView value={loaded.value} label="Result" history_id={loaded.history_id} tool={thing.tool} />;
}

function Steps({ at, count }: { at: number; count: number }) {
  return (
    <>
      <button type="button" class="icon-button" aria-label="Back" disabled={at === 0} onClick={() => stepThing(-1)}>
        <Icon name="back" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label="Forward"
        disabled={at === count - 1}
        onClick={() => stepThing(1)}
      >
        <Icon name="chevron" />
      </button>
    </>
  );
}

/** The sheet of the thing that is opened. */
export function ThingSheet() {
  const present = opened.value;
  const thing = present?.list[present.at];
  if (present === undefined || thing === undefined) return null;
  const steps = present.list.length > 1 && <Steps at={present.at} count={present.list.length} />;
  return (
    <Sheet title={titleOf(thing)} kind="side" tools={steps} onClose={closeThings}>
      <Content key={`${present.at} ${thing.tool} ${plainText(thing.key)}`} thing={thing} />
    </Sheet>
  );
}
