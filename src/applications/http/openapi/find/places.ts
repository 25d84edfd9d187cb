// Where applications keep their descriptions when nobody says where: the defaults of the frameworks in use.

/** At the root of an application; what is most in use comes first. Pages are there for those that have no other place. */
const AT_ROOT = [
  "openapi.json", // FastAPI, LoopBack, Huma, utoipa and many others
  "openapi.yaml",
  "v3/api-docs", // springdoc
  "swagger/v1/swagger.json", // ASP.NET Core with Swashbuckle or NSwag
  "swagger.json", // Flask-RESTX, tsoa, hapi-swagger, go-swagger
  "api-json", // NestJS, by where its page is
  "docs-json",
  "swagger-json",
  "api-docs-json",
  "api/docs-json",
  "documentation/json", // Fastify
  "openapi/v1.json", // ASP.NET Core 9
  "api-docs", // swagger-ui-express, SpringFox
  "v2/api-docs", // SpringFox
  "api/schema/", // drf-spectacular
  "schema/",
  "swagger.yaml",
  "openapi.yml",
  "api/openapi.json", // Django Ninja, FastAPI behind a prefix
  "api/v1/openapi.json",
  "swagger/json", // Elysia
  "openapi/json",
  "swagger/doc.json", // swaggo
  "schema/openapi.json", // Litestar
  "q/openapi", // Quarkus
  "openapi", // MicroProfile
  "doc", // Hono
  "api/doc.json", // NelmioApiDocBundle
  "docs.jsonopenapi", // API Platform
  "docs/api.json", // Scramble
  "docs/api-docs.json", // L5-Swagger
  "api-docs/openapi.json", // utoipa
  "apispec_1.json", // flasgger
  "swagger/?format=openapi", // drf-yasg
  "api-docs/v1/swagger.yaml", // rswag
  "api/swagger.json",
  "docs",
  "swagger",
  "swagger-ui/index.html",
  "swagger/index.html",
  "api",
  "api/docs",
  "documentation",
  "redoc",
  "reference",
];
/** In each folder above a wrong path. */
const IN_FOLDER = [
  "openapi.json",
  "openapi.yaml",
  "v3/api-docs",
  "swagger.json",
  "docs-json",
  "api-docs",
  "schema/",
  "docs",
];
const MAX_FOLDERS = 3;
/** Requests for one search. */
const MAX_PLACES = 70;

/** The folders of a path, the innermost first, without the root: "/a/b/c.json" gives "/a/b/" and "/a/". */
function foldersOf(path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "");
  const isFile = !path.endsWith("/") && /\.\w+$/.test(parts.at(-1) ?? "");
  const names = isFile ? parts.slice(0, -1) : parts;
  return names.map((_, i) => `/${names.slice(0, names.length - i).join("/")}/`).slice(0, MAX_FOLDERS);
}

/** Addresses to try for an application, given one of its addresses; all at the same origin, the likeliest first. */
export function usualPlaces(at: URL): URL[] {
  const inFolders = foldersOf(at.pathname).flatMap((folder) => IN_FOLDER.map((place) => folder + place));
  const paths = [...inFolders, ...AT_ROOT.map((place) => `/${place}`)];
  const unique = [...new Set(paths)].filter((path) => path !== at.pathname).slice(0, MAX_PLACES);
  return unique.map((path) => new URL(path, at.origin));
}
