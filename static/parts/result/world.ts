// The outlines of the countries, for maps: they come with the program, so a map asks nobody for anything.
import { registerMap } from "echarts/core";
import { feature } from "topojson-client";
import atlas from "world-atlas/countries-110m.json";

type Ring = [number, number][];

/** Antarctica has no place on this map, and its outline runs along the pole. */
const LEFT_OUT = "010";

/** A ring that crosses the date line goes on beyond it, instead of across the whole map. */
function unwrap(ring: Ring): Ring {
  const crosses = ring.some(([x], i) => Math.abs(x - (ring[i - 1]?.[0] ?? x)) > 180);
  return crosses ? ring.map(([x, y]) => [x < 0 ? x + 360 : x, y]) : ring;
}

/** Makes the map known to the library under the name "world". */
export function registerWorld(): void {
  const world = feature(atlas, atlas.objects.countries);
  for (const { geometry } of world.features) {
    const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
    const whole = (polygons as Ring[][]).map((rings) => rings.map(unwrap));
    geometry.coordinates = geometry.type === "Polygon" ? (whole[0] ?? []) : whole;
  }
  world.features = world.features.filter(({ id }) => id !== LEFT_OUT);
  registerMap("world", world as unknown as Parameters<typeof registerMap>[1]);
}
