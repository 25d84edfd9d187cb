// The one function that is used of topojson-client, which comes without types.
declare module "topojson-client" {
  /** The GeoJSON of an object of a topology. */
  export function feature(
    topology: unknown,
    object: unknown,
  ): {
    type: "FeatureCollection";
    features: { id: string; geometry: { type: "Polygon" | "MultiPolygon"; coordinates: unknown[] } }[];
  };
}
