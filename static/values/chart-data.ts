// The points of a chart, made of rows or of groups of rows, and a sentence that says what it displays. Pure.
import { isObject, type JsonObject, type JsonValue } from "../../src/lib/json.js";
import { type ChartSpec, drawsPoints } from "./chart.js";
import { type Place, placeOf } from "./geo.js";
import { computedName, type Group } from "./group.js";
import { labelOf } from "./names.js";
import { fieldOf, plainText } from "./rows.js";
import { isPeriod, timeOf } from "./time.js";

/** One line, or the bars of one colour. */
interface Series {
  name: string;
  /** A value for each place on the axis; null where there is none. */
  values: (number | null)[];
}

/** What a chart draws. */
export interface ChartData {
  /** The places on the axis, as they are written. */
  categories: string[];
  series: Series[];
  /** Pairs of numbers, with the name of the row, for clouds of points and maps. */
  points: { x: number; y: number; name: string; size: number | null }[];
  /** The lines of shapes on a map. */
  outlines: Place["outlines"];
  /** Places on the axis that are left out, because they are too many; the last in the order of the axis. */
  hidden: number;
  /** Whether the order of the axis is that of time, and not of the values. */
  isByTime: boolean;
}

/** One value at one place of one series. */
interface Cell {
  x: string;
  series: string;
  value: number | null;
}

/** More bars or shares are left out, the least of them. */
const MAX_CATEGORIES = 40;
const MAX_SHARES = 10;
/** More points on a line are drawn by no screen. */
const MAX_POINTS = 5000;
const MAX_SERIES = 12;
const NAMES = ["name", "title", "label", "city", "description", "email", "id"];

const numberOf = (value: JsonValue | undefined): number | null => {
  const number = value === null || value === undefined || value === "" ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
};

function cellsOfRows(rows: readonly JsonObject[], spec: ChartSpec): Cell[] {
  return rows.map((row) => ({
    x: plainText(fieldOf(row, spec.x)),
    series: spec.split === "" ? "" : plainText(fieldOf(row, spec.split)),
    value: spec.y === "" ? 1 : numberOf(fieldOf(row, spec.y)),
  }));
}

function cellsOfGroups(groups: readonly Group[], spec: ChartSpec): Cell[] {
  const { aggregate } = spec;
  const isCount = aggregate === "count" || aggregate === "none" || spec.y === "";
  const name = isCount ? "count" : computedName({ aggregate, field: spec.y });
  return groups.map(({ key, count, values }) => ({
    x: plainText(key[0]),
    series: spec.split === "" ? "" : plainText(key[1]),
    value: isCount ? count : numberOf(values[name]),
  }));
}

const isMoment = (place: string): boolean =>
  place === "" || isPeriod(place) || !Number.isNaN(timeOf(place)) || !Number.isNaN(timeOf(Number(place)));

/** The order of the places: moments as time passes, others by their greatest value. Shares are always told by their size. */
function orderedPlaces(cells: readonly Cell[], spec: ChartSpec): { places: string[]; isByTime: boolean } {
  const sums = new Map<string, number>();
  for (const { x, value } of cells) sums.set(x, (sums.get(x) ?? 0) + (value ?? 0));
  const places = [...sums.keys()];
  if (spec.type !== "donut" && places.every(isMoment)) return { places: places.sort(), isByTime: true };
  if (spec.type === "line" || spec.type === "area") return { places, isByTime: true };
  return { places: places.sort((a, b) => (sums.get(b) ?? 0) - (sums.get(a) ?? 0)), isByTime: false };
}

/** Puts what is left out of shares into one more of them, so that each is the share it is of all. */
function withOthers(data: ChartData, cells: readonly Cell[], spec: ChartSpec): ChartData {
  const addsUp = spec.aggregate === "count" || spec.aggregate === "sum" || spec.aggregate === "none";
  if (spec.type !== "donut" || data.hidden === 0 || !addsUp) return data;
  const shown = new Set(data.categories);
  const rest = cells.filter(({ x }) => !shown.has(x)).reduce((sum, { value }) => sum + (value ?? 0), 0);
  const categories = [...data.categories, `${data.hidden.toLocaleString()} others`];
  return {
    ...data,
    categories,
    series: data.series.map((one) => ({ ...one, values: [...one.values, rest] })),
    hidden: 0,
  };
}

function seriesOf(cells: readonly Cell[], spec: ChartSpec): ChartData {
  const { places: ordered, isByTime } = orderedPlaces(cells, spec);
  const isLine = spec.type === "line" || spec.type === "area";
  const limit = isLine ? MAX_POINTS : spec.type === "donut" ? MAX_SHARES : MAX_CATEGORIES;
  const categories = ordered.slice(0, limit);
  const places = new Map(categories.map((name, at) => [name, at]));
  const names = [...new Set(cells.map(({ series }) => series))].slice(0, MAX_SERIES);
  const series = names.map((name) => ({ name, values: new Array<number | null>(categories.length).fill(null) }));
  const byName = new Map(series.map((one) => [one.name, one.values]));
  for (const { x, series: name, value } of cells) {
    const at = places.get(x);
    const values = byName.get(name);
    // Rows of the same place, taken as they are: the last one counts.
    if (at !== undefined && values !== undefined && value !== null) values[at] = value;
  }
  const data = { categories, series, points: [], outlines: [], hidden: ordered.length - categories.length, isByTime };
  return withOthers(data, cells, spec);
}

/** Positions of outlines that are drawn. */
const MAX_POSITIONS = 20_000;

/** What a row is called; a feature of a map has its name among its properties. */
function nameOf(row: JsonObject): string {
  const properties = row["type"] === "Feature" ? row["properties"] : undefined;
  for (const from of isObject(properties) ? [properties, row] : [row])
    for (const name of NAMES) {
      const value = fieldOf(from, name);
      if (typeof value === "string" || typeof value === "number") return String(value);
    }
  return "";
}

/** The points of a cloud or a map, and the outlines of places that are more than points. */
function pointsOf(rows: readonly JsonObject[], spec: ChartSpec): ChartData {
  const outlines: Place["outlines"][number][] = [];
  let positions = 0;
  const points = rows.flatMap((row) => {
    const place = spec.x === spec.y ? placeOf(spec.x === "" ? row : fieldOf(row, spec.x)) : undefined;
    const { x, y } = place ?? { x: numberOf(fieldOf(row, spec.x)), y: numberOf(fieldOf(row, spec.y)) };
    if (x === null || y === null) return [];
    for (const line of place?.outlines ?? []) if ((positions += line.length) <= MAX_POSITIONS) outlines.push(line);
    const size = spec.split === "" ? null : numberOf(fieldOf(row, spec.split));
    return [{ x, y, name: nameOf(row), size }];
  });
  return { categories: [], series: [], points, outlines, hidden: 0, isByTime: false };
}

/** What a chart draws of rows as they are. */
export function dataOfRows(rows: readonly JsonObject[], spec: ChartSpec): ChartData {
  return drawsPoints(spec) ? pointsOf(rows, spec) : seriesOf(cellsOfRows(rows, spec), spec);
}

/** What a chart draws of groups. */
export function dataOfGroups(groups: readonly Group[], spec: ChartSpec): ChartData {
  return seriesOf(cellsOfGroups(groups, spec), spec);
}

const AGGREGATE_WORDS = {
  none: "",
  count: "Number of rows",
  sum: "Sum of",
  avg: "Average of",
  min: "Least",
  max: "Greatest",
};

/** What the values of a chart are: "Sum of total". */
export function measureLabel(spec: ChartSpec): string {
  if (spec.y === "" || spec.aggregate === "count") return AGGREGATE_WORDS.count;
  const label = labelOf(spec.y);
  return spec.aggregate === "none" ? label : `${AGGREGATE_WORDS[spec.aggregate]} ${label.toLowerCase()}`;
}

/** A sentence that says what the chart displays, for those who do not see it. */
export function chartSummary(data: ChartData, spec: ChartSpec): string {
  if (drawsPoints(spec) && spec.x === spec.y) {
    const count = data.points.length === 1 ? "1 place" : `${data.points.length} places`;
    return `Map of ${count}${spec.x === "" ? "" : `: ${labelOf(spec.x)}`}.`;
  }
  if (drawsPoints(spec))
    return `${spec.type === "map" ? "Map" : "Cloud"} of ${data.points.length} points: ${labelOf(spec.y)} against ${labelOf(spec.x)}.`;
  const all = data.series
    .flatMap(({ values }) => values.map((value, at) => ({ value, at })))
    .filter((one) => one.value !== null);
  const sorted = all.toSorted((a, b) => (a.value ?? 0) - (b.value ?? 0));
  const [least, most] = [sorted[0], sorted.at(-1)];
  const head = `${measureLabel(spec)} by ${labelOf(spec.x).toLowerCase()}, ${data.categories.length} values`;
  if (least === undefined || most === undefined) return `${head}.`;
  const text = ({ value, at }: { value: number | null; at: number }): string =>
    `${(value ?? 0).toLocaleString()} (${data.categories[at] ?? ""})`;
  const series = data.series.length > 1 ? ` in ${data.series.length} series` : "";
  return `${head}${series}: from ${text(least)} to ${text(most)}.`;
}
