// A button that counts the records of a resource: it calls the resource's list tool, once, as any call by hand. One for all of an
// application counts them one after the other.
import { useEffect, useState } from "preact/hooks";
import type { Tool } from "../../../src/domain/tool.js";
import { errorText } from "../../state/api.js";
import { countRecords, lastCount, rememberCount } from "../../state/count-records.js";
import { relativeTime } from "../../values/time.js";
import { Spinner } from "../icons.js";
import { ViewLink } from "../view-link.js";

/** What was asked for and has not been counted: an application is asked for one list at a time. */
let counting = Promise.resolve();

/**
 * The button, and the number that it came to, also the last time. `isAsked` counts without it; `target` is the address of the
 * application.
 */
export function CountRecords(props: { tool: Tool; resource: string; target: string; isAsked: boolean }) {
  const { tool, resource, target, isAsked } = props;
  const [counted, setCounted] = useState(() => lastCount(target, tool.name));
  const [isNew, setNew] = useState(false);
  const [isRunning, setRunning] = useState(false);
  const count = async () => {
    setRunning(true);
    try {
      const made = await countRecords(tool.name);
      if (made.at !== undefined) rememberCount(target, tool.name, made);
      setCounted(made);
      setNew(true);
    } catch (error) {
      setCounted({ text: errorText(error) });
      setNew(true);
    } finally {
      setRunning(false);
    }
  };
  useEffect(() => {
    if (!isAsked || isNew || isRunning) return;
    setRunning(true);
    counting = counting.then(count);
  }, [isAsked]);
  return (
    <span class="count-records">
      <span role="status">
        {counted?.row !== undefined ? (
          <ViewLink view={{ kind: "history", row: counted.row }} current={false}>
            {counted.text}
          </ViewLink>
        ) : (
          counted?.text
        )}
        {!isNew && counted?.at !== undefined && (
          <span class="faint">{`, ${relativeTime(counted.at, Date.now())}`}</span>
        )}
      </span>
      {!isNew && (
        <button
          type="button"
          class="link"
          disabled={isRunning}
          aria-label={counted === undefined ? `Count ${resource}` : `Count ${resource} again`}
          title={`Calls ${tool.name}, which only reads`}
          onClick={() => void count()}
        >
          {isRunning && <Spinner />} Count
        </button>
      )}
    </span>
  );
}
