// A button that counts the records of a resource: it calls the resource's list tool, once, as any call by hand. One for all of an
// application counts them one after the other.
import { useEffect, useState } from "preact/hooks";
import type { Tool } from "../../../src/domain/tool.js";
import { errorText } from "../../state/api.js";
import { countRecords } from "../../state/count-records.js";
import { Spinner } from "../icons.js";
import { ViewLink } from "../view-link.js";

interface Counted {
  text: string;
  row?: number | undefined;
}

/** What was asked for and has not been counted: an application is asked for one list at a time. */
let counting = Promise.resolve();

/** The button, and the number in its place. `isAsked` counts without it. */
export function CountRecords({ tool, resource, isAsked }: { tool: Tool; resource: string; isAsked: boolean }) {
  const [counted, setCounted] = useState<Counted | undefined>();
  const [isRunning, setRunning] = useState(false);
  const count = async () => {
    setRunning(true);
    try {
      setCounted(await countRecords(tool.name));
    } catch (error) {
      setCounted({ text: errorText(error) });
    } finally {
      setRunning(false);
    }
  };
  useEffect(() => {
    if (!isAsked || counted !== undefined || isRunning) return;
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
      </span>
      {counted === undefined && (
        <button
          type="button"
          class="link"
          disabled={isRunning}
          aria-label={`Count ${resource}`}
          title={`Calls ${tool.name}, which only reads`}
          onClick={() => void count()}
        >
          {isRunning && <Spinner />} Count
        </button>
      )}
    </span>
  );
}
