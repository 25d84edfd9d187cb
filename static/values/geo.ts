// Places as GeoJSON writes them (RFC 7946): a geometry, or a feature around one. Pure.
import { isObject, type JsonValue } from "../../src/lib/json.js";

/** A longitude and a latitude, in degrees. */
type Position = readonly [x: number, y: number];

/** A place on a map. */
export interface Place {
  /** Its longitude and latitude; of a shape those of its middle. */
  x: number;
  y: number;
  /** The lines it is drawn with; none of a point. */
  outlines: readonly (readonly Position[])[];
}

const GEOMETRIES = new Set(["Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon"]);

/** The position; undefined for others, such as metres of a projection. */
function positionOf(value: JsonValue | undefined): Position | undefined {
  if (!Array.isArray(value)) return undefined;
  const [x, y] = value;
  if (typeof x !== "number" || typeof y !== "number") return undefined;
  return Math.abs(x) <= 180 && Math.abs(y) <= 90 ? [x, y] : undefined;
}

function firstPosition(coordinates: JsonValue | undefined): Position | undefined {
  return Array.isArray(coordinates) && Array.isArray(coordinates[0])
    ? firstPosition(coordinates[0])
    : positionOf(coordinates);
}

/** The geometries in a value, of which only the first position is looked at. */
function geometriesIn(value: JsonValue | undefined): { type: string; coordinates: JsonValue }[] {
  if (!isObject(value)) return [];
  const { type, coordinates = null, geometry, geometries, features } = value;
  if (type === "Feature") return geometriesIn(geometry);
  const inner = type === "GeometryCollection" ? geometries : type === "FeatureCollection" ? features : undefined;
  if (Array.isArray(inner)) return inner.flatMap(geometriesIn);
  const isGeometry = typeof type === "string" && GEOMETRIES.has(type) && firstPosition(coordinates) !== undefined;
  return isGeometry ? [{ type, coordinates }] : [];
}

/** Whether a value is a place. */
export function isPlace(value: JsonValue): boolean {
  return geometriesIn(value).length > 0;
}

/** Whether a value is a place and nothing else: no feature, which has properties. */
export function isBarePlace(value: JsonValue): boolean {
  return isObject(value) && value["type"] !== "Feature" && isPlace(value);
}

/** The position of a value that is one point. */
export function pointOf(value: JsonValue | undefined): Position | undefined {
  return isObject(value) && value["type"] === "Point" ? positionOf(value["coordinates"]) : undefined;
}

/** The lines of positions in nested coordinates. */
function linesIn(coordinates: JsonValue): Position[][] {
  if (!Array.isArray(coordinates)) return [];
  if (positionOf(coordinates[0]) === undefined) return coordinates.flatMap(linesIn);
  return [coordinates.map(positionOf).filter((one) => one !== undefined)];
}

/** Where a value is on a map; undefined for what is no place. */
export function placeOf(value: JsonValue | undefined): Place | undefined {
  const geometries = geometriesIn(value);
  const lines = geometries.map(({ type, coordinates }) => {
    return { isDrawn: !type.endsWith("Point"), lines: linesIn(type === "Point" ? [coordinates] : coordinates) };
  });
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of lines.flatMap((one) => one.lines.flat())) {
    [west, east] = [Math.min(west, x), Math.max(east, x)];
    [south, north] = [Math.min(south, y), Math.max(north, y)];
  }
  if (west > east) return undefined;
  const outlines = lines.filter(({ isDrawn }) => isDrawn).flatMap((one) => one.lines);
  return { x: (west + east) / 2, y: (south + north) / 2, outlines };
}
