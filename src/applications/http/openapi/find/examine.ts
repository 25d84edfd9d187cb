// What stands at an address: a description, a page that displays one, or something else, with the words for it.
// Text comes in and a decision goes out; nothing is fetched.
import { StartError } from "../../../../domain/error.js";
import { isObject, type JsonObject } from "../../../../lib/json.js";
import { displayUrl, isStandardInput, type Loaded } from "../load/load.js";
import { checkDescription, parseText } from "../load/parse.js";
import { type Named, namedIn, namedInScript, type Page, readPage, saysVersion } from "./page.js";
import { type Recognised, recogniseText, recogniseValue } from "./recognise.js";

/** What stands at an address. */
export type Examined =
  | { kind: "description"; root: JsonObject }
  | { kind: "page"; page: Page }
  | { kind: "settings"; named: Named }
  | ({ kind: "other" } & Recognised);

/** A text that means to be a description, also when it is broken. */
const SAYS_VERSION = /(?:^|[\n{,])\s*["']?(?:openapi|swagger)["']?\s*:/;
const NOT_ONE = "not an OpenAPI 3 or Swagger 2.0 description";

const isHtml = (text: string): boolean =>
  /^\s*(?:<!--[^>]*-->\s*)*<(?:!doctype html|html|head|body)\b/i.test(text.slice(0, 4096));

/** A page of a forge about a file; the file itself is elsewhere. */
function rawAddress(url: URL): string | undefined {
  const [, repository, rest] = /^\/([^/]+\/[^/]+)\/blob\/(.+)$/.exec(url.pathname) ?? [];
  if (url.hostname === "github.com" && repository !== undefined)
    return `https://raw.githubusercontent.com/${repository}/${rest}`;
  if (url.pathname.includes("/-/blob/")) return url.origin + url.pathname.replace("/-/blob/", "/-/raw/");
  return undefined;
}

/** Looks at one text. Throws StartError for a description that is broken or of a version that is not read. */
export async function examine({ text, url, mediaType }: Loaded): Promise<Examined> {
  const where = displayUrl(url);
  const name = isStandardInput(url) ? "" : url.pathname;
  const saysSo = !/\.(?:md|markdown)$/i.test(name) && SAYS_VERSION.test(text.slice(0, 2_000));
  const recognised = saysSo || isHtml(text) ? undefined : recogniseText(text, name);
  // Pages of which only the declared type says that they are HTML.
  const isPage = isHtml(text) || (/html/.test(mediaType) && /^\s*</.test(text) && recognised?.isFinal !== true);
  if (isPage) return { kind: "page", page: readPage(text, url) };
  if (/javascript/.test(mediaType) || /\.m?js$/i.test(name)) {
    const named = namedInScript(text, url);
    const [root] = named.inline;
    return root ? { kind: "description", root } : { kind: "settings", named };
  }
  if (recognised) return { kind: "other", ...recognised };
  try {
    const value = await parseText(text, where.replace(/\.gz$/i, ""));
    if (saysVersion(value)) return { kind: "description", root: checkDescription(value, where) };
    const isSettings = isObject(value) && ["url", "urls", "configUrl"].some((key) => value[key] !== undefined);
    const named = isSettings ? namedIn(value) : undefined;
    if (named && named.addresses.length + named.choices.length + named.configs.length > 0)
      return { kind: "settings", named };
    return { kind: "other", ...recogniseValue(value) };
  } catch (error) {
    if (saysSo || url.protocol === "file:") throw error;
    return {
      kind: "other",
      what: "neither JSON nor YAML",
      next: "give the address of the description",
      isFinal: false,
    };
  }
}

/** What the answer to a request that failed says. */
export function examineFailure({ status, text }: Loaded, signIn: string | undefined): Recognised & { kind: "other" } {
  let said = "";
  try {
    const { what } = recogniseValue(JSON.parse(text));
    if (/^an answer that says|GraphQL/.test(what)) said = what.replace(/^an answer that says/, "it says");
  } catch {
    // Not JSON: the status has to do.
  }
  const isLocked = status === 401 || status === 403;
  const hint = signIn ?? `pass what it asks for, such as --header "Authorization: env:NAME"`;
  const address = "give the address of the description, which its documentation page shows in a browser, or its file";
  return { kind: "other", what: said, next: isLocked ? hint : address, isFinal: false };
}

/** What a location is, with its name. */
export function whatIs(content: Examined, { url, status }: Loaded): string {
  const where = displayUrl(url);
  if (status !== 200) return `${where} answered with status ${status}`;
  if (content.kind === "page") return `${where} is ${content.page.what}`;
  if (content.kind === "settings") return `${where} holds the settings of a documentation page`;
  return `${where} is ${content.kind === "other" ? content.what : "a description"}`;
}

/** The end of a search that found nothing; `problem` is what was wrong with what the location named. */
export function nothingFound(content: Examined, loaded: Loaded, problem: string | undefined): StartError {
  const what = whatIs(content, loaded);
  if (problem !== undefined) return new StartError(`${what}; ${problem}`);
  const raw = rawAddress(loaded.url);
  if (raw !== undefined) return new StartError(`${what} that displays a file; give the file itself: ${raw}`);
  const isTried = loaded.url.protocol !== "file:" && !(content.kind === "other" && content.isFinal);
  const tried = isTried ? ", and no description is at any of the usual places" : "";
  if (content.kind === "other" && loaded.status !== 200) {
    const said = content.what === "" ? "" : ` (${content.what})`;
    return new StartError(`${what}${said}${tried}; ${content.next}.`);
  }
  const isSignIn = content.kind === "page" && content.page.what.startsWith("a sign-in page");
  const next = isSignIn
    ? `sign in with --header "Cookie: env:NAME" or another header, or save the description in a browser and give the file`
    : "give the address of the description, which the page shows or links to in a browser, or its file";
  return new StartError(`${what}, ${NOT_ONE}${tried}; ${content.kind === "other" ? content.next : next}.`);
}
