// Names of fields: their words, a label for people, and what the words say of the values. Pure.
import { wordsOf } from "../../src/lib/name-words.js";

/** Words that are written in capitals in a label. */
const CAPITALS = new Set(
  "id url uri ip uuid api sku ean isbn vat iban bic zip html json xml csv pdf http https sql utc gps cpu gpu ram usd eur gbp chf".split(
    " ",
  ),
);

/** A name as a label: "customer_id" is "Customer ID". A name without letters stays as it is. */
export function labelOf(name: string): string {
  const words = wordsOf(name).map((word) => (CAPITALS.has(word) ? word.toUpperCase() : word));
  const text = words.join(" ");
  return text === "" ? name : text.charAt(0).toUpperCase() + text.slice(1);
}

const ID_WORDS = new Set(
  "id ids uuid guid zip postcode postal plz year code phone fax tel mobile port sku ean isbn gtin iban bic pin ssn vat hash sha key ref version".split(
    " ",
  ),
);

/** Last words of numbers that are given out, also where a language writes them in one word with what has them. */
const GIVEN_NUMBERS = /^(?:no|number|n[uú]mero|num[eé]ro)$|(?:nr|nummer)$/;

/** The same as a first word: the number of a client, and not how many there are. */
const GIVEN_FIRST = /^(?:n[uú]mero|num[eé]ro) (?!de |di |des |d )/;

/** Last words of amounts that have a code in front: the length of a key, the size of a version. */
const MEASURES =
  /^(total|sum|size|length|width|height|weight|age|speed|avg|average|min|max|score|coverage|usage|limit)$/;

/** Whether a field of this name holds ids or codes: digits that count nothing. */
export function namesId(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? "";
  if (ID_WORDS.has(last) || GIVEN_NUMBERS.test(last) || GIVEN_FIRST.test(words.join(" "))) return true;
  const isAmount =
    MEASURES.test(last) || namesMoney(name) || namesCount(name) || namesBytes(name) || durationUnit(name) !== undefined;
  return ID_WORDS.has(words[0] ?? "") && !isAmount;
}

/** Last words of what is told apart, by numbers too: a cost center is no cost. */
const CODES = /^(center|centre|account|type|kind|category|class|group|plan|method|status)$/;

/** Whether numbers in a field of this name tell things apart. Texts may be words, which are no ids. */
export function namesCode(name: string): boolean {
  return CODES.test(wordsOf(name).at(-1) ?? "");
}

/** Last words of what is one of a few words that the application knows. */
const CHOICES = /^(status|state|type|kind|category|role|priority|severity|stage|phase|plan|tier|mode|visibility)$/;

/** Whether texts in a field of this name are each one of a few. */
export function namesChoice(name: string): boolean {
  return CHOICES.test(wordsOf(name).at(-1) ?? "");
}

const MONEY_WORDS = new Set(
  "price prices amount cost costs revenue salary wage wages fee fees balance budget subtotal turnover payment tax discount profit refund deposit rent money spend spent".split(
    " ",
  ),
);

/** Last words of what only has to do with money, as codes do: days of payment, the tier of a price. */
const NO_AMOUNTS = /^(tier|level|days?|terms?|year|ratio)$/;

/** Whether a field of this name holds amounts of money. */
export function namesMoney(name: string): boolean {
  const words = wordsOf(name);
  const isOther = NO_AMOUNTS.test(words.at(-1) ?? "") || namesCode(name) || namesCount(name);
  return words.some((word) => MONEY_WORDS.has(word)) && !isOther;
}

/** Whether a field of this name may be an amount where others beside it are: a total of orders, not of rows. */
export function namesTotal(name: string): boolean {
  return (
    wordsOf(name).some((word) => word === "total" || word === "sum" || word === "net" || word === "gross") &&
    !namesCount(name)
  );
}

function namesCount(name: string): boolean {
  return wordsOf(name).some((word) => /^(count|quantity|qty|number|rows|items|rate|percent|pct|id)$/.test(word));
}

/** Whether a field of this name holds the code of a currency. */
export function namesCurrency(name: string): boolean {
  return wordsOf(name).includes("currency");
}

let currencies: ReadonlySet<string> | undefined;

/** The code of the currency a text or the last word of a name is, "" when it is none. */
export function currencyOf(text: string): string {
  const code = text.toUpperCase();
  if (!/^[A-Z]{3}$/.test(code)) return "";
  currencies ??= new Set(Intl.supportedValuesOf("currency"));
  return currencies.has(code) ? code : "";
}

const digits = new Map<string, number>();

/** Digits behind the point of amounts in a currency: 2 for euros, none for yen. */
export function currencyDigits(currency: string): number {
  const known = digits.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  const found = format.resolvedOptions().maximumFractionDigits ?? 2;
  digits.set(currency, found);
  return found;
}

/** What amounts of this name are multiplied by to be in units of their currency, which is "" when it is not known. */
export function moneyScale(name: string, currency: string): number {
  const last = wordsOf(name).at(-1) ?? "";
  if (last === "minor" && currency !== "") return 10 ** -currencyDigits(currency);
  // A currency without a smaller unit has no hundredths, whatever the field is called.
  const hasNone = currency !== "" && currencyDigits(currency) === 0;
  return /^(cents?|minor)$/.test(last) && !hasNone ? 0.01 : 1;
}

/** Whether a field of this name holds shares of a hundred. */
export function namesPercent(name: string): boolean {
  return name.includes("%") || wordsOf(name).some((word) => /^(percent|pct|percentage)$/.test(word));
}

/** Whether numbers of this name do not add up: rates, scores, averages, degrees. */
export function namesRate(name: string): boolean {
  const words = wordsOf(name);
  return (
    namesPercent(name) ||
    words.some((word) => /^(rates?|ratio|avg|average|mean|median)$/.test(word)) ||
    /^(rating|score|temperature|age|probability|confidence|factor|rank|level|tier)$/.test(words.at(-1) ?? "")
  );
}

/** A unit of time, in milliseconds, by the last word of a name. */
const UNITS_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  nanos: 1e-6,
  nanoseconds: 1e-6,
  us: 1e-3,
  micros: 1e-3,
  microseconds: 1e-3,
  ms: 1,
  millis: 1,
  milliseconds: 1,
  s: 1000,
  sec: 1000,
  secs: 1000,
  seconds: 1000,
  mins: 60_000,
  minutes: 60_000,
  hours: 3_600_000,
};

/** How many milliseconds one of a duration of this name is; undefined when the name speaks of none. */
export function durationUnit(name: string): number | undefined {
  const words = wordsOf(name);
  return words.length > 1 || /^(seconds|milliseconds|minutes)$/.test(name) ? UNITS_MS[words.at(-1) ?? ""] : undefined;
}

/** Whether a field of this name holds sizes in bytes. */
export function namesBytes(name: string): boolean {
  const words = wordsOf(name);
  return words.includes("bytes") || (words.includes("file") && words.includes("size"));
}

/** Words of moments wherever they stand in a name, and those that say so as the last word or before a unit only. */
const MOMENTS =
  /^(timestamp|datetime|date|epoch|created|updated|modified|changed|deleted|started|finished|ended|expires|expiry|expired|seen)$/;
const LAST_MOMENTS = /^(at|on|time|ts|since|until|start|end)$/;
/** Words behind a moment that say how it is counted. */
const COUNTED_IN = /^(ms|millis|milliseconds|s|sec|secs|seconds|unix|utc|epoch)$/;

/** Whether numbers in a field of this name may be moments, counted since 1970; their size must say so, too. */
export function namesMoment(name: string): boolean {
  const words = wordsOf(name);
  const last = words.findLast((word) => !COUNTED_IN.test(word)) ?? words.at(-1) ?? "";
  if (LAST_MOMENTS.test(last) || MOMENTS.test(last)) return true;
  const isOther = namesMoney(name) || namesCount(name) || namesBytes(name) || namesId(name);
  return words.some((word) => MOMENTS.test(word)) && !isOther;
}

/** Last words of moments that are told by their year. */
const YEARS = /^(?:born|built|established|founded|opened|published|released|since|vintage)$/;

/** Whether whole numbers in a field of this name may be years; their size must say so, too. */
export function namesYear(name: string): boolean {
  return YEARS.test(wordsOf(name).at(-1) ?? "");
}

/** What a field of this name is on a map: "latitude", "longitude" or neither. */
export function namesPlace(name: string): "latitude" | "longitude" | undefined {
  const last = wordsOf(name).at(-1) ?? "";
  if (last === "lat" || last === "latitude") return "latitude";
  return last === "lon" || last === "lng" || last === "long" || last === "longitude" ? "longitude" : undefined;
}
