// From what a person has at hand to the description: a description itself, a page that displays one, the address of the application,
// or something else, which ends in a sentence that says what it is. Nothing is fetched from another origin than the location's,
// and no header goes there.
// Source: docs/reference.md, "Importing a description".
import { messageOf, StartError } from "../../../../domain/error.js";
import type { JsonObject } from "../../../../lib/json.js";
import { withoutCredentials } from "../../../../lib/url.js";
import type { SourceInput } from "../../../source.js";
import { refusal } from "../load/files.js";
import { type Budget, displayUrl, type Loaded, load, locationUrl } from "../load/load.js";
import { checkDescription, parseText } from "../load/parse.js";
import { type Examined, examine, examineFailure, nothingFound, whatIs } from "./examine.js";
import { type Named, namedIn, namedInQuery, namedInScript } from "./page.js";
import { usualPlaces } from "./places.js";
import { waysToSignIn } from "./sign-in.js";

/** A description that was found. */
interface Found {
  root: JsonObject;
  /** Where it stands; its references start there. */
  url: URL;
  /** What leads to more of its files; for its own origin only. */
  headers: Record<string, string>;
  /** How it was found, when it is not what was named. */
  note: string | undefined;
}

/** The first link of a header that leads to the description of a service. Source: RFC 8631, section 4; RFC 8288, section 3. */
export function describedBy(link: string): string | undefined {
  for (const [, address, parameters = ""] of link.matchAll(/<([^<>]+)>([^<]*)/g))
    for (const parameter of parameters.split(/[;,]/)) if (/^\s*rel\s*=.*service-desc/is.test(parameter)) return address;
  return undefined;
}

/** Time for trying the usual places, all of them and one. */
const SEARCH_MS = 20_000;
const PLACE_MS = 5_000;
/** Of what was read and is no description. */
const MAX_SEARCHED = 50_000_000;
/** Addresses of one page that are tried. */
const MAX_NAMED = 8;
/** Pages that lead to pages. */
const MAX_REFRESHES = 2;
/** What Swagger UI displays when nobody has set it up. */
const SAMPLE = /^https?:\/\/petstore\d?\.swagger\.io\//;

const isWeb = (url: URL): boolean => url.protocol !== "file:";
/** An address a person may be told to give: with its query, which may be what chooses the description. */
const full = (url: URL): string => (isWeb(url) ? withoutCredentials(url.href) : displayUrl(url));

/**
 * The addresses a page may mean, each once. A page without a slash at its end may mean it had one: scripts that put addresses
 * together add it.
 */
function readings(addresses: readonly string[], base: URL): URL[] {
  const folder = /\/[^/.]+$/.test(base.pathname) ? new URL(`${base.pathname}/`, base) : base;
  const urls = addresses
    .slice(0, MAX_NAMED)
    .flatMap((address) =>
      [base, folder].filter((from) => URL.canParse(address, from.href)).map((from) => new URL(address, from)),
    );
  for (const url of urls) url.hash = "";
  return [...new Map(urls.map((url) => [url.href, url])).values()];
}

/** One search, with what it has seen. */
class Search {
  readonly #input: SourceInput;
  readonly #budget: Budget;
  readonly #first: URL;
  #headers: Record<string, string>;
  #searched = 0;
  /** Sentences about what was named and could not be read. */
  readonly #problems: string[] = [];
  /** Whether the description is known to be where it may not be read: another one must not take its place. */
  #isElsewhere = false;

  constructor(input: SourceInput, budget: Budget) {
    this.#input = input;
    this.#budget = budget;
    this.#first = locationUrl(input.location);
    this.#headers = input.headers ?? {};
  }

  async run(): Promise<Found> {
    const loaded = await this.#get(this.#first);
    const content =
      loaded.status === 200 ? await this.#examined(loaded) : examineFailure(loaded, this.#input.access?.hint);
    if (content.kind === "description") return this.#found(content.root, loaded);
    const isOpen = content.kind !== "other" || !content.isFinal;
    const found = (await this.#followed(content, loaded)) ?? (isOpen ? await this.#search(loaded) : undefined);
    if (!found) throw nothingFound(content, loaded, this.#problems[0]);
    const what = whatIs(content, loaded);
    const isInside = found.url.href === loaded.url.href;
    return {
      ...found,
      note: isInside ? `${what}, which holds the description.` : `Read from ${full(found.url)}: ${what}.`,
    };
  }

  /** Reads an address with the headers that are meant for it; signs in where that is asked for. */
  async #get(url: URL, time = this.#budget.time): Promise<Loaded> {
    // A copy: what turns out to be no description does not count as part of one.
    const budget = { ...this.#budget, time };
    const isOwn = url.origin === this.#first.origin;
    const loaded = await load(url, isOwn ? this.#headers : {}, budget);
    if ((loaded.status !== 401 && loaded.status !== 403) || !isOwn || !this.#input.access) return loaded;
    for (const way of waysToSignIn(this.#input.access, loaded.challenge)) {
      const headers = { ...this.#headers, ...way };
      const again = await load(url, headers, budget);
      if (again.status === 401 || again.status === 403) continue;
      this.#headers = headers;
      return again;
    }
    return loaded;
  }

  async #examined(loaded: Loaded): Promise<Examined> {
    const content = await examine(loaded);
    if (content.kind !== "description") this.#searched += loaded.text.length;
    if (this.#searched > MAX_SEARCHED)
      throw new StartError(`${displayUrl(this.#first)} leads to more than ${MAX_SEARCHED / 1e6} MB of other texts.`);
    return content;
  }

  #found(root: JsonObject, { url, text }: Loaded): Found {
    this.#budget.bytes -= text.length;
    const headers = url.origin === this.#first.origin ? this.#headers : {};
    return { root, url, headers, note: undefined };
  }

  /** The description that a page or its settings lead to. */
  async #followed(content: Examined, loaded: Loaded, refreshes = MAX_REFRESHES): Promise<Found | undefined> {
    const { url, link } = loaded;
    const described = describedBy(link);
    if (described !== undefined) {
      const found = await this.#firstOf([described], url);
      if (found) return found;
    }
    if (content.kind === "settings") return this.#named(content.named, loaded, { base: url });
    if (content.kind !== "page") return undefined;
    const { page } = content;
    const base = page.base !== undefined && URL.canParse(page.base, url.href) ? new URL(page.base, url) : url;
    const query = namedInQuery(url);
    const chosen = await this.#named(query.named, loaded, { base });
    if (chosen) return chosen;
    for (const script of page.scripts) {
      const text = await this.#textOf(script, base);
      if (text !== undefined) namedInScript(text, url, page);
    }
    const found = await this.#named(page, loaded, { base, primary: query.primary });
    if (found || page.refresh === undefined || refreshes === 0) return found;
    const [next] = readings([page.refresh], base);
    const other = next && this.#isAllowed(next, base) ? await this.#get(next).catch(() => undefined) : undefined;
    if (other?.status !== 200) return undefined;
    const there = await this.#examined(other);
    return there.kind === "description" ? this.#found(there.root, other) : this.#followed(there, other, refreshes - 1);
  }

  /** What is named, in the order in which documentation pages use it. */
  async #named(
    { inline: [inline], configs, choices, addresses }: Named,
    page: Loaded,
    { base, primary }: { base: URL; primary?: string | undefined },
  ): Promise<Found | undefined> {
    if (inline) return this.#found(checkDescription(inline, displayUrl(page.url)), page);
    for (const config of configs) {
      const text = await this.#textOf(config, base);
      const named = text === undefined ? undefined : namedIn(await parseText(text, config).catch(() => null));
      const found = named && (await this.#named({ ...named, configs: [] }, page, { base, primary }));
      if (found) return found;
    }
    const known = choices.filter(({ address }) => URL.canParse(address, base.href));
    const all = new Map(known.map(({ address, label }) => [new URL(address, base).href, label]));
    const chosen = [...all].filter(([, label]) => label === primary);
    const several = chosen.length === 1 ? new Map(chosen) : all;
    if (several.size > 1) {
      const each = [...several].slice(0, 10).map(([href, label]) => full(new URL(href)) + (label && ` (${label})`));
      throw new StartError(
        `${displayUrl(page.url)} displays ${several.size} descriptions; give one of them: ${each.join(", ")}.`,
      );
    }
    return this.#firstOf([...several.keys(), ...addresses], base);
  }

  /** The first of some addresses that is a description. What is wrong with the others is kept. */
  async #firstOf(addresses: readonly string[], base: URL): Promise<Found | undefined> {
    for (const url of readings(addresses, base)) {
      if (!this.#isAllowed(url, base)) {
        this.#isElsewhere ||= isWeb(url) && !SAMPLE.test(url.href);
        const what = SAMPLE.test(url.href) ? "it displays only a sample" : "its description is at";
        if (isWeb(url)) this.#problems.push(`${what} ${full(url)}, another host; give that address if you trust it.`);
        continue;
      }
      try {
        const loaded = await this.#get(url);
        const content = loaded.status === 200 ? await this.#examined(loaded) : undefined;
        if (content?.kind === "description") return this.#found(content.root, loaded);
        if (content) continue;
        const { next } = examineFailure(loaded, this.#input.access?.hint);
        this.#isElsewhere ||= loaded.status === 401 || loaded.status === 403;
        this.#problems.push(`its description ${full(url)} answered with status ${loaded.status}; ${next}.`);
      } catch (error) {
        this.#problems.push(messageOf(error));
      }
    }
    return undefined;
  }

  /** Whether an address that stands at another one may be read. */
  #isAllowed(url: URL, base: URL): boolean {
    return refusal(url, base, this.#input.allowExternal === true) === undefined;
  }

  async #textOf(address: string, base: URL): Promise<string | undefined> {
    const [url] = readings([address], base);
    if (!url || !this.#isAllowed(url, base)) return undefined;
    const loaded = await this.#get(url).catch(() => undefined);
    if (loaded?.status !== 200) return undefined;
    this.#searched += loaded.text.length;
    return this.#searched > MAX_SEARCHED ? undefined : loaded.text;
  }

  /** Tries the usual places of the location's origin. */
  async #search({ url: from }: Loaded): Promise<Found | undefined> {
    if (!isWeb(from) || this.#isElsewhere) return undefined;
    const end = AbortSignal.any([this.#budget.time, AbortSignal.timeout(SEARCH_MS)]);
    for (const place of usualPlaces(from)) {
      if (end.aborted) return undefined;
      const time = AbortSignal.any([end, AbortSignal.timeout(PLACE_MS)]);
      const loaded = await this.#get(place, time).catch(() => undefined);
      if (loaded?.status !== 200) continue;
      try {
        const content = await this.#examined(loaded);
        if (content.kind === "description") return this.#found(content.root, loaded);
        const isPage = content.kind === "settings" || (content.kind === "page" && content.page.isDocumentation);
        const found = isPage ? await this.#followed(content, loaded, 0) : undefined;
        if (found) return found;
      } catch (error) {
        this.#problems.push(messageOf(error));
      }
    }
    return undefined;
  }
}

/** Finds the description a location means. Throws StartError that says what the location is and what to do next. */
export function findDescription(input: SourceInput, budget: Budget): Promise<Found> {
  return new Search(input, budget).run();
}
