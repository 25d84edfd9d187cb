// What a page of documentation names as its description: Swagger UI, ReDoc, Scalar, RapiDoc, Stoplight Elements and others, in the
// forms in which their generators write them. Text comes in; addresses as written and inline descriptions go out. Fetches nothing.
import { isObject, type JsonObject, type JsonValue, listOf, parseJson } from "../../../../lib/json.js";
import { type Tag, tagsOf } from "./html.js";
import { objectsIn } from "./script.js";

/** What a page, a script of it or its settings name. Addresses are as written, relative to the page. */
export interface Named {
  /** Descriptions that stand in it whole. */
  inline: JsonObject[];
  /** Settings to be fetched, which name descriptions in turn. */
  configs: string[];
  /** Descriptions to choose from, when there is such a list. */
  choices: { address: string; label: string }[];
  /** Addresses of single descriptions, the most certain first. */
  addresses: string[];
}

/** An HTML page. */
export interface Page extends Named {
  /** In words: "a Swagger UI page", "a sign-in page", "a web page". */
  what: string;
  /** Whether it is there to display a description. */
  isDocumentation: boolean;
  /** Scripts that may hold its settings. */
  scripts: string[];
  /** Another page it leads to at once. */
  refresh: string | undefined;
  /** What relative addresses start from, where the page says so. */
  base: string | undefined;
}

/** Programs that display descriptions, by what only their pages hold. */
const PROGRAMS: readonly [name: string, mark: RegExp][] = [
  ["a Swagger UI page", /swagger-?ui(?:bundle)?\b|SwaggerUi\(|swagger-initializer/i],
  ["a ReDoc page", /<redoc[\s>]|\bRedoc\.(?:init|hydrate)|redoc\.standalone|__redoc_state/i],
  ["a Scalar page", /@scalar\/|Scalar\.createApiReference|id=["']?api-reference/i],
  ["a RapiDoc page", /<rapi-?(?:doc|pdf)/i],
  ["a Stoplight Elements page", /<elements-(?:api|stoplight-project)|@stoplight\/elements/i],
  ["an OpenAPI Explorer page", /<openapi-explorer/i],
];
const GRAPHQL = /graphiql|graphql-playground|embeddable-sandbox|apollo-sandbox/i;
/** Scripts that are the programs themselves, or of no interest. */
const BUNDLE = /bundle|preset|standalone|vendor|polyfill|jquery|analytics|gtag|\.min\.|elements|scalar|rapidoc|redoc/i;
const ATTRIBUTES = ["spec-url", "data-spec-url", "apidescriptionurl", "api-description-url"];
const KEYS =
  /^(?:url|swaggerUrl|spec[-_]?url|schema_?url|definition_?url|openapi_?url|apiDescriptionUrl|apispec_?url)$/i;
const LISTS = /^(?:urls|swaggerUrls|sources)$/;
const DOCUMENTS = /^(?:spec|content|swaggerDoc|apiDescriptionDocument|definition|data)$/;
/** Levels of settings in which descriptions are looked for. */
const MAX_LEVELS = 6;
const MAX_SCRIPTS = 6;
const MAX_ADDRESS = 2_000;
/** Of a page: where the marks of the programs are looked for. */
const MARKED_CHARS = 2_000_000;

/** Whether a value says it is a description. */
export function saysVersion(value: JsonValue | undefined): value is JsonObject {
  return isObject(value) && ["string", "number"].includes(typeof (value["openapi"] ?? value["swagger"]));
}

const nothing = (): Named => ({ inline: [], configs: [], choices: [], addresses: [] });

const isAddress = (value: JsonValue | undefined): value is string =>
  typeof value === "string" &&
  value.length < MAX_ADDRESS &&
  /^[^\s#<>{}]+$/.test(value) &&
  !/^(?:data|javascript|mailto|blob):|\.(?:js|css|png|svg|ico|map|html?)(?:$|\?)/i.test(value);

/** A description that stands somewhere as a text. */
function documentIn(text: string): JsonObject | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value = parseJson(text);
    return saysVersion(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What settings name, at any level of them. */
export function namedIn(settings: JsonValue, into = nothing(), levels = MAX_LEVELS): Named {
  if (levels === 0) return into;
  if (saysVersion(settings) && (isObject(settings["paths"]) || isObject(settings["webhooks"]))) {
    into.inline.push(settings);
    return into;
  }
  if (Array.isArray(settings)) for (const item of settings.slice(0, 100)) namedIn(item, into, levels - 1);
  if (!isObject(settings)) return into;
  for (const [key, value] of Object.entries(settings)) {
    const document = typeof value === "string" && DOCUMENTS.test(key) ? documentIn(value) : undefined;
    if (document) into.inline.push(document);
    else if (key === "configUrl" && isAddress(value)) into.configs.push(value);
    else if (LISTS.test(key) && Array.isArray(value)) {
      for (const one of listOf(value)) {
        const [address, label] = isObject(one) ? [one["url"], one["name"] ?? one["title"]] : [one, undefined];
        if (isAddress(address)) into.choices.push({ address, label: typeof label === "string" ? label : "" });
        else namedIn(one, into, levels - 1);
      }
    } else if (KEYS.test(key) && isAddress(value)) into.addresses.push(value);
    else namedIn(value, into, levels - 1);
  }
  return into;
}

/** What a script names; `at` is the address of its page. */
export function namedInScript(source: string, at: URL, into = nothing()): Named {
  const { origin, host, hostname, protocol, pathname, search } = at;
  const location = { origin, host, hostname, protocol, pathname, search, href: at.href };
  const known = Object.entries(location).map(([name, value]): [string, string] => [`location.${name}`, value]);
  for (const settings of objectsIn(source, Object.fromEntries(known))) namedIn(settings, into);
  return into;
}

/** What the tag of a program, or a link, names. */
function readTag({ name, attributes, text }: Tag, page: Page): void {
  const get = (key: string): string => attributes.get(key)?.trim() ?? "";
  for (const key of ATTRIBUTES) if (isAddress(get(key))) page.addresses.push(get(key));
  if (get("apidescriptiondocument") !== "") namedIn({ spec: get("apidescriptiondocument") }, page);
  // Scalar's settings are the attributes, or the content, of a script that is none.
  if (get("data-configuration") !== "") namedInScript(`x=${get("data-configuration")}`, new URL("about:blank"), page);
  if (get("id") === "api-reference") {
    if (isAddress(get("data-url"))) page.addresses.push(get("data-url"));
    if (/json/.test(get("type"))) namedIn({ content: text }, page);
  }
  const href = get("href");
  if (name === "link" && /\bservice-desc\b/i.test(get("rel")) && isAddress(href)) page.addresses.unshift(href);
  if (name === "a" && isAddress(href) && /(?:openapi|swagger)[^/?]*\.(?:json|ya?ml)(?:$|\?)/i.test(href))
    page.addresses.push(href);
  if (name === "base" && href !== "") page.base ??= href;
  if (name === "meta" && /^refresh$/i.test(get("http-equiv")))
    page.refresh ??= /^\s*\d*\s*[;,]\s*url\s*=\s*["']?([^"'\s]+)/i.exec(get("content"))?.[1];
}

/** What a page is, in words. */
function wordsFor(html: string, tags: readonly Tag[]): { what: string; isDocumentation: boolean } {
  const head = html.slice(0, MARKED_CHARS);
  const program = PROGRAMS.find(([, mark]) => mark.test(head));
  if (program) return { what: program[0], isDocumentation: true };
  const title = tags
    .find(({ name }) => name === "title")
    ?.text.replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, 60);
  const about = title ? ` ("${title}")` : "";
  const isSignIn = tags.some(({ name, attributes }) => name === "input" && attributes.get("type") === "password");
  if (isSignIn) return { what: `a sign-in page${about}`, isDocumentation: false };
  if (GRAPHQL.test(head)) return { what: `a page of a GraphQL service${about}`, isDocumentation: false };
  return { what: `a web page${about}`, isDocumentation: false };
}

/** Reads an HTML page that stands at an address. Never throws. */
export function readPage(html: string, at: URL): Page {
  const tags = tagsOf(html);
  const words = wordsFor(html, tags);
  const page: Page = { ...nothing(), ...words, scripts: [], refresh: undefined, base: undefined };
  for (const tag of tags) readTag(tag, page);
  for (const { name, attributes, text } of tags) {
    if (name !== "script") continue;
    const source = attributes.get("src");
    const isCode = !/json|template|html/.test(attributes.get("type") ?? "");
    if (source === undefined && isCode && page.isDocumentation) namedInScript(text, at, page);
    const file = source?.split(/[?#]/)[0]?.split("/").pop() ?? "";
    const isSettings = page.isDocumentation || /swagger|openapi|redoc/i.test(source ?? "");
    if (source && isSettings && (!BUNDLE.test(file) || /init/i.test(file)) && page.scripts.length < MAX_SCRIPTS)
      page.scripts.push(source);
  }
  return page;
}

/** What the address of a Swagger UI page itself chooses: its settings may stand in the query. */
export function namedInQuery(at: URL): { named: Named; primary: string | undefined } {
  const named = nothing();
  const [url, config] = [at.searchParams.get("url"), at.searchParams.get("configUrl")];
  if (isAddress(url ?? undefined)) named.addresses.push(String(url));
  if (isAddress(config ?? undefined)) named.configs.push(String(config));
  return { named, primary: at.searchParams.get("urls.primaryName") ?? undefined };
}
