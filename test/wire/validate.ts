// The first independent judge: express-openapi-validator over the original document. Nothing of the program's own reading of
// descriptions is used here. What the library has no means to judge is named as its limit, and passed on to the second (second.ts).
import { readFile } from "node:fs/promises";
import { CodeGen } from "ajv/dist/compile/codegen/index.js";
import express, { type ErrorRequestHandler, type Express } from "express";
import { middleware as judge } from "express-openapi-validator";
import { parse } from "yaml";
import { createWork } from "../../src/applications/http/openapi/schemas/work.js";
import { upgradeSwagger } from "../../src/applications/http/openapi/swagger.js";
import { isObject, type JsonObject, type JsonValue } from "../../src/lib/json.js";
import { renamed } from "./names.js";

/** A judge's verdict on one request. */
export type Verdict =
  | { kind: "valid" }
  | { kind: "invalid"; reason: string }
  /** `limit` is what the judge has no means for; without one it failed. */
  | { kind: "unjudged"; limit?: string; reason: string };

/** A request as the judge read it, for comparing with what was sent. */
export interface Read {
  path: JsonObject;
  query: JsonObject;
  headers: JsonObject;
  cookies: JsonObject;
  body: JsonValue;
}

const LIMIT = "64mb";

// Ajv's optimising passes, which the library has no option for, take longer than the few requests that follow; they
// change how the compiled checks are written, not what they find.
CodeGen.prototype.optimize = () => {};

/** The document at a path as OpenAPI 3; a Swagger 2.0 one by the program's own conversion, which moves things and makes no requests. */
export async function loadOriginal(file: string): Promise<JsonObject> {
  const text = await readFile(file, "utf8");
  const document: JsonObject = /\.ya?ml$/.test(file)
    ? parse(text, { merge: true, uniqueKeys: false, maxAliasCount: -1, logLevel: "error" })
    : JSON.parse(text);
  if (document["openapi"] !== undefined) return document;
  return upgradeSwagger({ source: document, refused: new Map(), work: createWork(text.length) });
}

/** How a judge reads requests. */
export interface Reading {
  /** Bodies distinguish numbers from texts, as JSON does; in a form everything is text. */
  typed: boolean;
  /** Brackets in names of query parameters are part of the name, not nested values. */
  brackets: boolean;
}

/** What is known of a request when its refusal is looked at. */
interface Circumstances extends Reading {
  /** Path and query as they were sent. */
  url: string;
  multipart: boolean;
}

interface Limit {
  message: RegExp;
  when?: (circumstances: Circumstances, match: RegExpExecArray) => boolean;
  reason: string;
}

/** Requests that the library reads wrongly, recognised by its message. Checked against its source, version 5.6. */
const LIMITS: Limit[] = [
  {
    message: /^Parameter 'style' has incorrect value '(matrix|label)'/,
    reason: "does not know the path styles matrix and label",
  },
  {
    message: /^request\/(headers|params|cookies)\/[^/]+(\/\d+)? must be object/,
    reason: "does not read objects in headers, paths and cookies",
  },
  {
    message: /^request\/query\/object must be object/,
    when: ({ url }) => /(space|pipe)Delimited/.test(url),
    reason: "does not read objects in the styles spaceDelimited and pipeDelimited",
  },
  {
    message: /^request\/body\/\w+ must be (object|array)/,
    when: ({ multipart }) => multipart,
    reason: "does not read objects in the parts of a form",
  },
  {
    message: /^Unknown query parameter/,
    when: ({ brackets }) => brackets,
    reason: "does not know query parameters with brackets in their names",
  },
  {
    message: /^request\/query\/(\w+) must have required property/,
    when: ({ url }, match) => !url.includes(match[1] ?? ""),
    reason: "judges an optional deepObject parameter that was not sent",
  },
  { message: /^Invalid regular expression/, reason: "does not compile the patterns of the document" },
];

/** The limits behind a refusal, when nothing else is behind it. */
function limitOf(message: string, circumstances: Circumstances): string | undefined {
  const limits = message.split(/, (?=request\/)/).map((part) =>
    LIMITS.find(({ message, when }) => {
      const match = message.exec(part);
      return match !== null && (when?.(circumstances, match) ?? true);
    }),
  );
  return limits.every((limit) => limit !== undefined) ? limits.map((limit) => limit?.reason).join("; ") : undefined;
}

/** The parts of a multipart body that are files. */
export function filesOf(req: express.Request): { fieldname: string; buffer: Buffer }[] {
  const { files } = req as { files?: unknown };
  return Array.isArray(files) ? files : [];
}

const textsOf = (req: express.Request): JsonObject =>
  Object.fromEntries(filesOf(req).map(({ fieldname, buffer }) => [fieldname, buffer.toString("utf8")]));

/** An application that judges each request it gets and hands over what it read. `hear` is called before the answer goes out. */
export function createJudge(
  document: JsonObject,
  { typed, brackets }: Reading,
  hear: (request: express.Request, verdict: Verdict, read: Read) => void,
): Express {
  const app = express();
  app.set("query parser", brackets ? "simple" : "extended");
  app.set("case sensitive routing", true).set("strict routing", true);
  app.use(express.json({ strict: false, limit: LIMIT, type: ["json", "+json"] }));
  app.use(express.urlencoded({ extended: true, limit: LIMIT, parameterLimit: 10_000 }));
  app.use(express.text({ limit: LIMIT, type: ["text/*", "xml", "+xml", "*/xml"] }));
  app.use((req, _res, next) => {
    const pairs = (req.headers.cookie ?? "").split("; ").flatMap((pair) => {
      const at = pair.indexOf("=");
      return at < 0 ? [] : [[pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))]];
    });
    req.cookies = Object.fromEntries(pairs);
    next();
  });
  app.use(
    judge({
      apiSpec: renamed(document) as never,
      validateApiSpec: false,
      validateSecurity: false,
      validateResponses: false,
      validateRequests: { allowUnknownQueryParameters: false, coerceTypes: !typed },
    }),
  );
  const readOf = (req: express.Request): Read => ({
    path: { ...(req as { openapi?: { pathParams?: JsonObject } }).openapi?.pathParams },
    query: { ...(req.query as JsonObject) },
    headers: { ...(req.headers as JsonObject) },
    cookies: { ...req.cookies },
    body: isObject(req.body) ? { ...req.body, ...textsOf(req) } : req.body,
  });
  app.use((req, res) => {
    hear(req, { kind: "valid" }, readOf(req));
    res.end();
  });
  const refused: ErrorRequestHandler = (error, req, res, _next) => {
    const message = String(error?.message ?? error);
    const limit = limitOf(message, {
      typed,
      brackets,
      url: req.originalUrl,
      multipart: /^multipart/.test(req.headers["content-type"] ?? ""),
    });
    const judged = error?.status >= 400 && error.status < 500 && error.path !== undefined;
    if (limit !== undefined)
      hear(req, { kind: "unjudged", limit: `express-openapi-validator ${limit}`, reason: message }, readOf(req));
    else hear(req, { kind: judged ? "invalid" : "unjudged", reason: message }, readOf(req));
    res.end();
  };
  app.use(refused);
  return app;
}
