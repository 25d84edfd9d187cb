// The one function used of a package that brings no types.
declare module "swagger2openapi" {
  const library: {
    convertObj(
      swagger: import("../../../lib/json.js").JsonObject,
      options: { patch: boolean; warnOnly: boolean; resolve: boolean; text: string },
    ): Promise<{ openapi: import("../../../lib/json.js").JsonObject }>;
  };
  export default library;
}
