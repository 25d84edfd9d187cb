// What a chart displays, changed by clicks: its type, its axes, what splits it and how rows become one value.
import type { ComponentChildren } from "preact";
import {
  type ChartSpec,
  type ChartType,
  fittingTypes,
  granularityFor,
  measuresOf,
  timeColumn,
} from "../../values/chart.js";
import { drawsPoints } from "../../values/chart-data.js";
import { aggregatesOf, isNumeric } from "../../values/column.js";
import { namesPlace } from "../../values/names.js";
import { fieldOf } from "../../values/rows.js";
import { timeOf } from "../../values/time.js";
import type { RowsState } from "./use-result.js";

const TYPE_NAMES: Readonly<Record<ChartType, string>> = {
  line: "Line",
  area: "Area",
  bars: "Bars",
  donut: "Donut",
  scatter: "Points",
  map: "Map",
};
const AGGREGATES: readonly (readonly [ChartSpec["aggregate"], string])[] = [
  ["none", "as it is"],
  ["count", "number of rows"],
  ["sum", "sum"],
  ["avg", "average"],
  ["min", "least"],
  ["max", "greatest"],
];
const GRANULARITIES = ["year", "month", "day", "hour"] as const;

function Choice(props: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  children: ComponentChildren;
}) {
  return (
    <label class="chart-choice">
      <span class="label">{props.label}</span>
      <select
        aria-label={props.label}
        value={props.value}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      >
        {props.children}
      </select>
    </label>
  );
}

function options(names: readonly string[]) {
  return names.map((name) => (
    <option key={name} value={name}>
      {name}
    </option>
  ));
}

/** The spec with another type, and what that type needs. */
function withType(spec: ChartSpec, type: ChartType, list: RowsState): ChartSpec {
  const next = { ...spec, type };
  const numbers = measuresOf(list.columns).map(({ name }) => name);
  const isLine = type === "line" || type === "area";
  const time = isLine ? timeColumn(list.columns, list.rows.rows)?.name : undefined;
  const isAlong = time === undefined || time === spec.x || spec.type === "line" || spec.type === "area";
  if (isAlong && drawsPoints(next) === drawsPoints(spec) && type !== "map" && spec.type !== "map") return next;
  if (type === "map") {
    const find = (place: string) => list.columns.find(({ name }) => namesPlace(name) === place)?.name;
    return {
      ...next,
      x: find("longitude") ?? numbers[0] ?? spec.x,
      y: find("latitude") ?? numbers[1] ?? spec.y,
      split: "",
      aggregate: "none",
    };
  }
  if (type === "scatter")
    return { ...next, x: numbers[0] ?? spec.x, y: numbers[1] ?? numbers[0] ?? "", split: "", aggregate: "none" };
  const category = time ?? list.columns.find((column) => !isNumeric(column))?.name ?? spec.x;
  const [measure] = measuresOf(list.columns);
  const aggregate = measure === undefined ? "count" : (aggregatesOf(measure)[0] ?? "avg");
  const isMoments = list.columns.some(({ name, kind }) => name === category && kind === "time");
  const times = list.rows.rows.map((row) => timeOf(fieldOf(row, category)));
  const granularity = isMoments ? granularityFor(times) : undefined;
  return { ...next, x: category, y: numbers[0] ?? "", split: "", aggregate, granularity };
}

/** The controls of a chart. */
export function ChartControls({ list, spec }: { list: RowsState; spec: ChartSpec }) {
  const { columns, setChart } = list;
  const fitting = fittingTypes(columns, list.rows.rows);
  const types = fitting.includes(spec.type) ? fitting : [spec.type, ...fitting];
  const change = (part: Partial<ChartSpec>) => setChart({ ...spec, ...part });
  const names = columns.map(({ name }) => name);
  const numbers = columns.filter(isNumeric).map(({ name }) => name);
  const isPoints = drawsPoints(spec);
  const isTime = columns.find(({ name }) => name === spec.x)?.kind === "time";
  const splits = isPoints
    ? numbers
    : columns.filter(({ kind }) => !["nested", "time", "image"].includes(kind)).map(({ name }) => name);
  const setX = (x: string) => {
    const times = list.rows.rows.map((row) => timeOf(fieldOf(row, x)));
    const isMoments = columns.find(({ name }) => name === x)?.kind === "time";
    change({ x, granularity: isMoments && spec.aggregate !== "none" ? granularityFor(times) : undefined });
  };
  const setAggregate = (aggregate: ChartSpec["aggregate"]) => {
    const times = list.rows.rows.map((row) => timeOf(fieldOf(row, spec.x)));
    const y = aggregate === "count" ? "" : spec.y === "" ? (numbers[0] ?? "") : spec.y;
    change({
      aggregate,
      y,
      granularity: isTime && aggregate !== "none" ? (spec.granularity ?? granularityFor(times)) : undefined,
    });
  };
  return (
    <div class="chart-controls">
      <Choice label="Chart" value={spec.type} onChange={(type) => setChart(withType(spec, type as ChartType, list))}>
        {types.map((type) => (
          <option key={type} value={type}>
            {TYPE_NAMES[type]}
          </option>
        ))}
      </Choice>
      <Choice label={isPoints ? "Across" : "By"} value={spec.x} onChange={setX}>
        {options(isPoints ? numbers : names)}
      </Choice>
      {isTime && spec.aggregate !== "none" && (
        <Choice
          label="Each"
          value={spec.granularity ?? "day"}
          onChange={(value) => change({ granularity: GRANULARITIES.find((one) => one === value) })}
        >
          {options(GRANULARITIES)}
        </Choice>
      )}
      {!isPoints && (
        <Choice
          label="Value"
          value={spec.aggregate}
          onChange={(value) => setAggregate(value as ChartSpec["aggregate"])}
        >
          {AGGREGATES.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Choice>
      )}
      {(isPoints || spec.aggregate !== "count") && numbers.length > 0 && (
        <Choice label={isPoints ? "Up" : "Of"} value={spec.y} onChange={(y) => change({ y })}>
          {options(numbers)}
        </Choice>
      )}
      {spec.type !== "donut" && (
        <Choice label={isPoints ? "Size by" : "Split by"} value={spec.split} onChange={(split) => change({ split })}>
          <option value="">nothing</option>
          {options(splits.filter((name) => name !== spec.x))}
        </Choice>
      )}
      {spec.split !== "" && ["bars", "area", "line"].includes(spec.type) && (
        <label class="chart-check">
          <input type="checkbox" checked={spec.isStacked} onChange={() => change({ isStacked: !spec.isStacked })} />
          Stacked
        </label>
      )}
    </div>
  );
}
