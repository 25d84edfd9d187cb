// What a chart displays, changed by clicks: its type, its axes, what splits it and how rows become one value.
import type { ComponentChildren } from "preact";
import {
  type ChartSpec,
  type ChartType,
  drawsPoints,
  fittingTypes,
  granularityFor,
  withType,
} from "../../values/chart.js";
import { isNumeric } from "../../values/column.js";
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

/** Along what a chart goes: a column, or on a map the one that has the places. */
function AxisChoice(props: { list: RowsState; spec: ChartSpec; change: (part: Partial<ChartSpec>) => void }) {
  const { list, spec, change } = props;
  const { columns } = list;
  const isPoints = drawsPoints(spec);
  if (spec.type === "map" && spec.x === "") return null;
  if (spec.type === "map" && spec.x === spec.y)
    return (
      <Choice label="Place" value={spec.x} onChange={(place) => change({ x: place, y: place })}>
        {options(columns.filter(({ kind }) => kind === "place").map(({ name }) => name))}
      </Choice>
    );
  const setX = (x: string) => {
    const times = list.rows.rows.map((row) => timeOf(fieldOf(row, x)));
    const isMoments = columns.find(({ name }) => name === x)?.kind === "time";
    change({ x, granularity: isMoments && spec.aggregate !== "none" ? granularityFor(times) : undefined });
  };
  return (
    <Choice label={isPoints ? "Across" : "By"} value={spec.x} onChange={setX}>
      {options((isPoints ? columns.filter(isNumeric) : columns).map(({ name }) => name))}
    </Choice>
  );
}

/** The controls of a chart. */
export function ChartControls({ list, spec }: { list: RowsState; spec: ChartSpec }) {
  const { columns, setChart } = list;
  const { rows } = list.rows;
  const shape = { columns, rows };
  const fitting = fittingTypes(columns, rows);
  const types = fitting.includes(spec.type) ? fitting : [spec.type, ...fitting];
  const change = (part: Partial<ChartSpec>) => setChart({ ...spec, ...part });
  const numbers = columns.filter(isNumeric).map(({ name }) => name);
  const isPoints = drawsPoints(spec);
  const isPlaces = spec.type === "map" && spec.x === spec.y;
  const isTime = columns.find(({ name }) => name === spec.x)?.kind === "time";
  const splits = isPoints
    ? numbers
    : columns.filter(({ kind }) => !["nested", "place", "time", "image"].includes(kind)).map(({ name }) => name);
  const setAggregate = (aggregate: ChartSpec["aggregate"]) => {
    const times = rows.map((row) => timeOf(fieldOf(row, spec.x)));
    const y = aggregate === "count" ? "" : spec.y === "" ? (numbers[0] ?? "") : spec.y;
    change({
      aggregate,
      y,
      granularity: isTime && aggregate !== "none" ? (spec.granularity ?? granularityFor(times)) : undefined,
    });
  };
  return (
    <div class="chart-controls">
      <Choice label="Chart" value={spec.type} onChange={(type) => setChart(withType(spec, type as ChartType, shape))}>
        {types.map((type) => (
          <option key={type} value={type}>
            {TYPE_NAMES[type]}
          </option>
        ))}
      </Choice>
      <AxisChoice list={list} spec={spec} change={change} />
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
      {(isPoints || spec.aggregate !== "count") && numbers.length > 0 && !isPlaces && (
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
