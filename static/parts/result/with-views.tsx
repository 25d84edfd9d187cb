// What is displayed in a way of its own, such as the table of an answer or the difference a change makes, and can be looked at like any
// result: as rows to sort, filter and sum, as a chart, as fields, as JSON, as large as the screen. The rows are made when they are asked for.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { JsonValue } from "../../../src/lib/json.js";
import { lazy } from "../lazy.js";
import { TAB_NAMES, type Tab } from "./tabs.js";
import { ViewTabs } from "./view-tabs.js";

const ResultView = lazy(async () => (await import("./result-view.js")).ResultView);

/** A view of its own with the other ways to look at it above it. */
export function WithViews(props: {
  /** What the view of its own is called. */
  name: string;
  /** The others that are offered at once. */
  views: readonly Tab[];
  value: () => JsonValue;
  /** The direction of what is written, where it may be another one than that of the page. */
  direction?: () => "ltr" | "rtl" | undefined;
  label: string;
  /** Whether the label stands above the view of its own, too. */
  isLabelled?: boolean;
  children: ComponentChildren;
}) {
  const { name, views, label } = props;
  const [other, setOther] = useState<{ first: Tab; value: JsonValue; dir: "ltr" | "rtl" | undefined } | undefined>(
    undefined,
  );
  const wasOther = useRef(false);
  useEffect(() => {
    wasOther.current = other !== undefined;
  }, [other]);
  if (other !== undefined)
    return <ResultView {...other} label={label} own={{ name, onChoose: () => setOther(undefined) }} />;
  const own = { name, isChosen: true, onChoose: () => {} };
  const others = views.map((one) => ({
    name: TAB_NAMES[one],
    isChosen: false,
    onChoose: () => setOther({ first: one, value: props.value(), dir: props.direction?.() }),
  }));
  return (
    <div class="value with-views">
      <div class="value-head">
        {props.isLabelled && <p class="label">{label}</p>}
        <ViewTabs tabs={[own, ...others]} takesFocus={wasOther.current} />
      </div>
      {props.children}
    </div>
  );
}
