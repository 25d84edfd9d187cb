// A chart as the option of echarts. Pure: data, colours and the forms of values in, one object out.
import type { EChartsCoreOption } from "echarts/core";
import { cellText, positionText } from "../../values/cell.js";
import type { ChartSpec } from "../../values/chart.js";
import { type ChartData, measureLabel } from "../../values/chart-data.js";
import type { Column } from "../../values/column.js";
import { labelOf } from "../../values/names.js";
import { momentOf } from "../../values/time.js";
import type { ChartColours } from "./chart-colours.js";

/** What a chart is drawn of. */
export interface ChartParts {
  data: ChartData;
  spec: ChartSpec;
  columns: readonly Column[];
  colours: ChartColours;
  isAnimated: boolean;
}

/** Longer names of bars stand beside lying bars. */
const MAX_UPRIGHT = 9;
const MAX_UPRIGHT_BARS = 14;
const MAX_LABEL = 28;
/**
 * Texts of several lines, in pixels. Without a height of its own a line is as high as an ideograph is wide, and a font that has none
 * says nothing of that.
 */
const TEXT = { fontSize: 12, lineHeight: 16 };

const COMPACT = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });

const columnOf = ({ columns }: ChartParts, name: string): Column | undefined =>
  columns.find((one) => one.name === name);

/** A value of an axis as its column writes it. */
function valueText(parts: ChartParts, name: string, value: unknown): string {
  const column = columnOf(parts, name);
  if (typeof value !== "number") return String(value ?? "");
  if (column === undefined || parts.spec.aggregate === "count") return value.toLocaleString();
  const decimals = parts.spec.aggregate === "avg" ? Math.max(2, column.decimals) : column.decimals;
  return cellText(value, { ...column, decimals }).text;
}

const clip = (text: string): string => (text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL)}…` : text);

function base({ colours, isAnimated, data }: ChartParts): EChartsCoreOption {
  const hasLegend = data.series.length > 1;
  return {
    animation: isAnimated,
    animationDuration: 250,
    color: colours.series,
    textStyle: { color: colours.ink, fontFamily: "system-ui, sans-serif" },
    legend: {
      show: hasLegend,
      type: "scroll",
      top: 0,
      textStyle: { color: colours.ink },
      pageTextStyle: { color: colours.ink },
    },
    grid: { left: 8, right: 24, top: hasLegend ? 40 : 28, bottom: 8, containLabel: true },
  };
}

/** The tooltip is drawn into the canvas: one made of markup would need styles that the page's policy forbids. */
function tooltip({ colours }: ChartParts, more: object): object {
  return {
    renderMode: "richText",
    confine: true,
    backgroundColor: colours.ground,
    borderColor: colours.line,
    textStyle: { color: colours.ink, ...TEXT },
    ...more,
  };
}

function axis({ colours }: ChartParts, more: object): object {
  return {
    axisLabel: { color: colours.faint, hideOverlap: true },
    axisLine: { lineStyle: { color: colours.line } },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: colours.line } },
    nameTextStyle: { color: colours.faint, align: "left" },
    ...more,
  };
}

function valueAxis(parts: ChartParts): object {
  const label = { color: parts.colours.faint, hideOverlap: true, formatter: (value: number) => COMPACT.format(value) };
  return axis(parts, { type: "value", axisLabel: label });
}

function lines(parts: ChartParts): EChartsCoreOption {
  const { data, spec } = parts;
  const moments = data.categories.map(momentOf);
  const isTime = moments.length > 0 && moments.every((moment) => !Number.isNaN(moment));
  const isArea = spec.type === "area";
  const series = data.series.map(({ name, values }) => ({
    type: "line",
    name: name === "" ? measureLabel(spec) : name,
    data: isTime ? values.map((value, at) => [moments[at], value]) : values,
    showSymbol: values.length <= 40,
    symbolSize: 6,
    smooth: false,
    connectNulls: true,
    areaStyle: isArea ? { opacity: 0.25 } : undefined,
    stack: spec.isStacked ? "all" : undefined,
    emphasis: { focus: "series" },
  }));
  const x = isTime
    ? axis(parts, { type: "time", splitLine: { show: false } })
    : axis(parts, { type: "category", data: data.categories.map(clip) });
  return {
    ...base(parts),
    tooltip: tooltip(parts, { trigger: "axis", valueFormatter: (value: unknown) => valueText(parts, spec.y, value) }),
    xAxis: x,
    yAxis: { ...valueAxis(parts), name: measureLabel(spec) },
    series,
  };
}

function bars(parts: ChartParts): EChartsCoreOption {
  const { data, spec } = parts;
  const isLong = data.categories.some((name) => name.length > MAX_UPRIGHT) || data.categories.length > MAX_UPRIGHT_BARS;
  const isTime = data.categories.length > 0 && data.categories.every((name) => !Number.isNaN(momentOf(name)));
  const isLying = isLong && !isTime;
  const names = axis(parts, {
    type: "category",
    data: data.categories.map((name) => clip(name === "" ? "empty" : name)),
    inverse: isLying,
    splitLine: { show: false },
    axisLabel: { color: parts.colours.ink, interval: isLying ? 0 : "auto", hideOverlap: !isLying },
  });
  const values = { ...valueAxis(parts), name: isLying ? "" : measureLabel(spec) };
  return {
    ...base(parts),
    tooltip: tooltip(parts, {
      trigger: "axis",
      axisPointer: { type: "shadow" },
      valueFormatter: (value: unknown) => valueText(parts, spec.y, value),
    }),
    xAxis: isLying ? values : names,
    yAxis: isLying ? names : values,
    series: data.series.map(({ name, values }) => ({
      type: "bar",
      name: name === "" ? measureLabel(spec) : name,
      data: values,
      stack: spec.isStacked ? "all" : undefined,
      barMaxWidth: 28,
      itemStyle: { borderRadius: spec.isStacked ? 0 : isLying ? [0, 3, 3, 0] : [3, 3, 0, 0] },
      emphasis: { focus: "series" },
    })),
  };
}

function donut(parts: ChartParts): EChartsCoreOption {
  const { data, spec, colours } = parts;
  const values = data.series[0]?.values ?? [];
  return {
    ...base(parts),
    tooltip: tooltip(parts, {
      trigger: "item",
      formatter: ({ name, value, percent }: { name: string; value: number; percent: number }) =>
        `${name}: ${valueText(parts, spec.y, value)} (${percent} %)`,
    }),
    series: [
      {
        type: "pie",
        radius: ["38%", "62%"],
        data: data.categories.map((name, at) => ({ name: name === "" ? "empty" : name, value: values[at] })),
        label: { color: colours.ink, ...TEXT, formatter: "{b}\n{d} %" },
        labelLine: { length: 14, length2: 8, lineStyle: { color: colours.line } },
        itemStyle: { borderColor: colours.ground, borderWidth: 2 },
      },
    ],
  };
}

/** The size of a point by a number, so that its area is in proportion. */
function pointSize({ points }: ChartData): (size: number | null) => number {
  const most = points.reduce((most, { size }) => Math.max(most, size ?? 0), 0);
  return (size) => (size === null || most <= 0 ? 9 : 5 + 25 * Math.sqrt(Math.max(0, size) / most));
}

function pointText(parts: ChartParts): (point: { name: string; value: number[] }) => string {
  const { spec } = parts;
  return ({ name, value }) => {
    const size = spec.split === "" ? "" : `\n${labelOf(spec.split)}: ${valueText(parts, spec.split, value[2])}`;
    const [x = 0, y = 0] = value;
    const place =
      spec.x === spec.y
        ? `${labelOf(spec.x)}: ${positionText([x, y])}`
        : `${labelOf(spec.x)}: ${valueText(parts, spec.x, x)}\n${labelOf(spec.y)}: ${valueText(parts, spec.y, y)}`;
    return `${name === "" ? "" : `${name}\n`}${place}${size}`;
  };
}

function pointSeries(parts: ChartParts, more: object): object {
  const { data } = parts;
  const sizeOf = pointSize(data);
  return {
    type: "scatter",
    data: data.points.map(({ x, y, name, size }) => ({ name, value: [x, y, size] })),
    symbolSize: (value: (number | null)[]) => sizeOf(value[2] ?? null),
    itemStyle: { opacity: 0.75 },
    ...more,
  };
}

function scatter(parts: ChartParts): EChartsCoreOption {
  const { spec } = parts;
  const named = (name: string) => ({ ...valueAxis(parts), name: labelOf(name), scale: true });
  return {
    ...base(parts),
    tooltip: tooltip(parts, { trigger: "item", formatter: pointText(parts) }),
    xAxis: { ...named(spec.x), nameLocation: "middle", nameGap: 28, nameTextStyle: { color: parts.colours.faint } },
    yAxis: named(spec.y),
    grid: { left: 8, right: 24, top: 28, bottom: 28, containLabel: true },
    series: [pointSeries(parts, {})],
  };
}

/** Degrees around the outermost points of a map. */
const MARGIN = 8;

function map(parts: ChartParts): EChartsCoreOption {
  const { data, colours } = parts;
  let [west, south, east, north] = [180, 84, -180, -60];
  for (const [x, y] of [...data.points.map((point) => [point.x, point.y] as const), ...data.outlines.flat()]) {
    [west, east] = [Math.min(west, x), Math.max(east, x)];
    [south, north] = [Math.min(south, y), Math.max(north, y)];
  }
  const bounds = [
    [Math.max(-180, west - MARGIN), Math.min(84, north + MARGIN)],
    [Math.min(180, east + MARGIN), Math.max(-60, south - MARGIN)],
  ];
  const outlines = {
    type: "lines",
    coordinateSystem: "geo",
    polyline: true,
    silent: true,
    data: data.outlines.map((coords) => ({ coords })),
    lineStyle: { color: colours.series[0], width: 1.5, opacity: 0.8 },
  };
  return {
    ...base(parts),
    tooltip: tooltip(parts, { trigger: "item", formatter: pointText(parts) }),
    geo: {
      map: "world",
      roam: true,
      silent: true,
      boundingCoords: data.points.length === 0 ? undefined : bounds,
      itemStyle: { areaColor: colours.line, borderColor: colours.land, borderWidth: 0.5 },
      left: 8,
      right: 8,
      top: 8,
      bottom: 8,
    },
    series: [...(data.outlines.length > 0 ? [outlines] : []), pointSeries(parts, { coordinateSystem: "geo" })],
  };
}

/** The option of a chart. */
export function chartOption(parts: ChartParts): EChartsCoreOption {
  switch (parts.spec.type) {
    case "line":
    case "area":
      return lines(parts);
    case "bars":
      return bars(parts);
    case "donut":
      return donut(parts);
    case "scatter":
      return scatter(parts);
    case "map":
      return map(parts);
    default:
      parts.spec.type satisfies never;
      return {};
  }
}
