// Which chart displays some rows best, and what else may be chosen. Pure.

import type { JsonObject } from "../../src/lib/json.js";
import { wordsOf } from "../../src/lib/name-words.js";
import { aggregatesOf, type Column, type ColumnFacts, isNumeric } from "./column.js";
import { isPlace } from "./geo.js";
import type { Aggregate, Granularity, GroupBy } from "./group.js";
import { namesPlace } from "./names.js";
import { fieldOf, plainText } from "./rows.js";
import { isPeriod, timeOf } from "./time.js";

/** The kinds of charts. */
const CHART_TYPES = ["line", "area", "bars", "donut", "scatter", "map"] as const;
/** A kind of chart. */
export type ChartType = (typeof CHART_TYPES)[number];

/** What a chart displays. */
export interface ChartSpec {
  type: ChartType;
  /** The column of the horizontal axis, of the shares, or of the longitude. */
  x: string;
  /**
   * The column whose values are displayed; "" counts rows. On a map, the latitude; the same as `x` where one column has both, and both ""
   * where the rows themselves are places.
   */
  y: string;
  /** The column whose values are a series each; "" for one series. */
  split: string;
  /** How the rows of one place on the axis become one value; "none" takes them as they are. */
  aggregate: Aggregate | "none";
  /** The length of time that moments are grouped by. */
  granularity?: Granularity | undefined;
  isStacked: boolean;
}

/** More bars cannot be told apart. */
const MAX_BARS = 60;
const MAX_SHARES = 7;
/** Shares that add up to a whole do so this exactly. */
const TOLERANCE = 0.01;
/** More series are no picture. */
const MAX_SERIES = 8;

/** More moments than this are no line but a block: they are taken together. */
const MAX_MOMENTS = 60;

interface Shape {
  columns: readonly Column[];
  rows: readonly JsonObject[];
  measures: readonly Column[];
  facts: readonly ColumnFacts[];
}

/** Whether the values of a column follow each other in time: moments, or periods as reports name them. */
function isTime({ name, kind }: Column, rows: readonly JsonObject[]): boolean {
  if (kind === "time") return true;
  const values = rows.map((row) => fieldOf(row, name)).filter((value) => value !== undefined && value !== null);
  if (values.length === 0 || !values.every((value) => isPeriod(plainText(value)))) return false;
  // Four digits alone may be anything.
  return values.every((value) => typeof value === "string" && value.length > 4) || wordsOf(name).includes("year");
}

function distinct(rows: readonly JsonObject[], name: string): number {
  return new Set(rows.map((row) => plainText(fieldOf(row, name)))).size;
}

function numbersIn(rows: readonly JsonObject[], name: string): number[] {
  return rows.map((row) => Number(fieldOf(row, name) ?? Number.NaN)).filter((value) => !Number.isNaN(value));
}

/** What tells where rows are on a map: a column of places, two whose numbers are all degrees, or the rows themselves. */
function placesIn(columns: readonly Column[], rows: readonly JsonObject[]): Pick<ChartSpec, "x" | "y"> | undefined {
  const find = (place: "latitude" | "longitude", most: number) =>
    columns.find(
      (column) =>
        isNumeric(column) &&
        namesPlace(column.name) === place &&
        numbersIn(rows, column.name).every((value) => Math.abs(value) <= most),
    );
  const [y, x] = [find("latitude", 90), find("longitude", 180)];
  if (x !== undefined && y !== undefined) return { x: x.name, y: y.name };
  const place = columns.find(({ kind }) => kind === "place")?.name;
  if (place !== undefined) return { x: place, y: place };
  return rows.length > 0 && rows.every(isPlace) ? { x: "", y: "" } : undefined;
}

function proposeMap({ columns, rows }: Shape): ChartSpec | undefined {
  const places = placesIn(columns, rows);
  return places && { type: "map", ...places, split: "", aggregate: "none", isStacked: false };
}

/** How many values of a measure become one: their sum, where they add up. */
function totalOf(measure: Column): Aggregate {
  return aggregatesOf(measure)[0] ?? "avg";
}

/** The length of time that leaves a readable number of points. */
export function granularityFor(times: readonly number[]): Granularity {
  const known = times.filter((time) => !Number.isNaN(time));
  const span =
    known.reduce((most, time) => Math.max(most, time), 0) -
    known.reduce((least, time) => Math.min(least, time), Infinity);
  const days = span / 86_400_000;
  if (days <= 3) return "hour";
  return days <= 120 ? "day" : days <= 365 * 6 ? "month" : "year";
}

/** The length of time that the moments of a column are grouped by: of all rows, where it is known what is in them. */
function granularityOf(time: Column, { rows, facts }: Shape): Granularity | undefined {
  if (time.kind !== "time") return undefined;
  const known = facts.find(({ name }) => name === time.name);
  const bounds = [known?.min, known?.max].map(timeOf);
  return granularityFor(bounds.some(Number.isNaN) ? rows.map((row) => timeOf(fieldOf(row, time.name))) : bounds);
}

function proposeLine(shape: Shape): ChartSpec | undefined {
  const { columns, rows, measures } = shape;
  const time = columns.find((column) => isTime(column, rows));
  const [measure] = measures;
  if (time === undefined || measure === undefined) return undefined;
  const isSeries = distinct(rows, time.name) === rows.length;
  if (isSeries && rows.length <= MAX_MOMENTS)
    return { type: "line", x: time.name, y: measure.name, split: "", aggregate: "none", isStacked: false };
  const split = columns.find(
    ({ name, kind, options }) => kind === "enum" && name !== time.name && options.length <= MAX_SERIES,
  );
  const isGrid = !isSeries && split !== undefined && distinct(rows, time.name) * split.options.length >= rows.length;
  return {
    type: "line",
    x: time.name,
    y: measure.name,
    split: isGrid ? split.name : "",
    aggregate: totalOf(measure),
    granularity: granularityOf(time, shape),
    isStacked: false,
  };
}

/** Whether these are shares of a whole: none below zero, 1 or 100 together. */
function areShares(values: readonly number[]): boolean {
  const sum = values.reduce((sum, value) => sum + value, 0);
  const isWhole = [1, 100].some((whole) => Math.abs(sum - whole) <= whole * TOLERANCE);
  return values.length >= 2 && values.length <= MAX_SHARES && values.every((value) => value >= 0) && isWhole;
}

function proposeBars({ columns, rows, measures }: Shape): ChartSpec | undefined {
  const [measure] = measures;
  const isName = ({ kind }: Column): boolean => ["text", "enum", "email", "boolean", "link"].includes(kind);
  const whole = columns.find((column) => isName(column) && distinct(rows, column.name) === rows.length);
  const y = measure?.name ?? "";
  if (whole !== undefined && measure !== undefined && rows.length <= MAX_BARS) {
    const type = areShares(numbersIn(rows, y)) ? "donut" : "bars";
    return { type, x: whole.name, y, split: "", aggregate: "none", isStacked: false };
  }
  const category = columns.find(({ kind }) => kind === "enum");
  if (category === undefined) return undefined;
  return {
    type: "bars",
    x: category.name,
    y,
    split: "",
    aggregate: measure === undefined ? "count" : totalOf(measure),
    isStacked: false,
  };
}

function proposeScatter({ measures, rows }: Shape): ChartSpec | undefined {
  const [x, y] = measures;
  if (x === undefined || y === undefined || rows.length < 3) return undefined;
  return { type: "scatter", x: x.name, y: y.name, split: "", aggregate: "none", isStacked: false };
}

/** The columns whose values can be drawn: amounts before numbers, and no coordinates. */
function measuresOf(columns: readonly Column[]): Column[] {
  const isMeasure = (column: Column): boolean =>
    isNumeric(column) && namesPlace(column.name) === undefined && column.currencyField === undefined;
  const own = columns.filter(isMeasure);
  return own.toSorted((a, b) => Number(b.kind === "money") - Number(a.kind === "money"));
}

/**
 * The chart that suits these rows; undefined when none tells more than the table. `facts` is what is known of all rows, where these are
 * only some.
 */
export function proposeChart(
  columns: readonly Column[],
  rows: readonly JsonObject[],
  facts: readonly ColumnFacts[] = [],
): ChartSpec | undefined {
  const shape = { columns, rows, measures: measuresOf(columns), facts };
  // One place is worth a map; of other charts one row makes none.
  if (rows.length < 2) return proposeMap(shape);
  return proposeMap(shape) ?? proposeLine(shape) ?? proposeBars(shape) ?? proposeScatter(shape);
}

/** A chart to begin with where none suits: the rows, counted by their first column. */
export function anyChart(columns: readonly Column[]): ChartSpec {
  const x = columns.find(({ kind }) => kind === "enum" || kind === "text" || kind === "boolean") ?? columns[0];
  return { type: "bars", x: x?.name ?? "", y: "", split: "", aggregate: "count", isStacked: false };
}

/** The chart of the groups that a table has. */
export function groupedChart(columns: readonly Column[], { field, granularity }: GroupBy): ChartSpec {
  const measure = measuresOf(columns).find(({ name }) => name !== field);
  return {
    type: granularity === undefined ? "bars" : "line",
    x: field,
    y: measure?.name ?? "",
    split: "",
    aggregate: measure === undefined ? "count" : totalOf(measure),
    granularity,
    isStacked: false,
  };
}

/** The kinds of charts that these rows can be drawn as. */
export function fittingTypes(columns: readonly Column[], rows: readonly JsonObject[]): ChartType[] {
  const hasTime = columns.some((column) => isTime(column, rows));
  const hasNames = columns.some(
    (column) => !isNumeric(column) && !["nested", "place", "image", "empty"].includes(column.kind),
  );
  const fits: Readonly<Record<ChartType, boolean>> = {
    line: hasTime,
    area: hasTime,
    bars: true,
    donut: hasNames,
    scatter: measuresOf(columns).length > 1,
    map: placesIn(columns, rows) !== undefined,
  };
  return CHART_TYPES.filter((type) => fits[type]);
}

/** Whether a chart draws rows as points, and not values on an axis of places. */
export function drawsPoints({ type }: ChartSpec): boolean {
  return type === "scatter" || type === "map";
}

/** The spec with another type, and what that type needs. */
export function withType(
  spec: ChartSpec,
  type: ChartType,
  { columns, rows }: Pick<Shape, "columns" | "rows">,
): ChartSpec {
  const next = { ...spec, type };
  const points = { ...next, split: "", aggregate: "none" } as const;
  const isLine = type === "line" || type === "area";
  const time = isLine ? columns.find((column) => isTime(column, rows))?.name : undefined;
  const isAlong = time === undefined || time === spec.x || spec.type === "line" || spec.type === "area";
  if (isAlong && drawsPoints(next) === drawsPoints(spec) && type !== "map" && spec.type !== "map") return next;
  const measures = measuresOf(columns);
  const [x = spec.x, y = x] = measures.map(({ name }) => name);
  if (type === "map") return { ...points, ...(placesIn(columns, rows) ?? { x, y }) };
  if (type === "scatter") return { ...points, x, y };
  const category = time ?? columns.find((column) => !isNumeric(column) && column.kind !== "place")?.name ?? spec.x;
  const [measure] = measures;
  const isMoments = columns.some(({ name, kind }) => name === category && kind === "time");
  const times = rows.map((row) => timeOf(fieldOf(row, category)));
  return {
    ...next,
    x: category,
    y: measure?.name ?? "",
    split: "",
    aggregate: measure === undefined ? "count" : totalOf(measure),
    granularity: isMoments ? granularityFor(times) : undefined,
  };
}
