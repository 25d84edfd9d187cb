// A result on the screen. What is short stands here at once; a table, a chart or a tree is loaded when the first one is displayed.
import { type JsonValue, toJson } from "../../src/lib/json.js";
import type { MarkedCell } from "../state/marked-cell.js";
import type { LoadedResult } from "../state/results.js";
import { Copy } from "./copy.js";
import { Json } from "./json.js";
import { lazy } from "./lazy.js";

const ResultView = lazy(async () => (await import("./result/result-view.js")).ResultView);

/** A result: rows as a table or a chart, a thing as its fields, everything as JSON. */
export function Value(props: {
  value: JsonValue;
  /** Where all rows are, when the value has only the first of them. */
  source?: LoadedResult["source"];
  /** Loads the fields around those rows. */
  loadRest?: LoadedResult["loadRest"];
  label: string;
  /** The history row of the call, where it is known: the daemon keeps the whole result under it. */
  history_id?: number | undefined;
  /** The tool that was called, where it is known. */
  tool?: string | undefined;
  /** The cell that is pointed at from elsewhere. */
  marked?: MarkedCell | undefined;
}) {
  const { value, label } = props;
  const isShort = typeof value !== "object" || value === null || Object.keys(value).length === 0;
  if (!isShort || Array.isArray(value)) return <ResultView {...props} />;
  return (
    <div class="value">
      <div class="value-head">
        <p class="label">{label}</p>
        <span class="spacer" />
        <Copy label={`Copy ${label}`} text={() => (typeof value === "string" ? value : toJson(value, 2))} />
      </div>
      <Json value={value} label={label} />
    </div>
  );
}
