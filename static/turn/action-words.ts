// What an action does in the words of its own name, where these are certain: what stands beside the noun of its resource, as in
// `refundOrder` of orders, or the end of a path below a record, as in `/orders/{id}/refund`. Pure.
import type { Tool } from "../../src/domain/tool.js";
import { wordsOf } from "../../src/lib/name-words.js";
import { singularOf } from "../../src/lib/plural.js";

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "products" as "product", and "Order_Items" as "Order Item": the last word is one, and stays in its case. */
export function singular(noun: string): string {
  const words = noun.replaceAll(/[_-]+/g, " ").trim();
  const last = /\p{L}*$/u.exec(words)?.[0] ?? "";
  const lower = last.toLowerCase();
  const one = singularOf(lower);
  const other = last === lower ? one : capital(one);
  return words.slice(0, words.length - last.length) + (lower.startsWith(one) ? last.slice(0, one.length) : other);
}

/** The verb of an action, and the name of the argument that says of which record; undefined where its words are not certain. */
export function actionWords({ own_name, name, resource, transport }: Tool): { verb: string; key?: string } | undefined {
  const words = wordsOf(own_name ?? name);
  const noun = wordsOf(singular(resource));
  const of = wordsOf(resource);
  const segments = (transport?.path ?? "").split("/").filter((one) => one !== "");
  const last = segments.at(-1) ?? "";
  const key = /^\{(.+)\}$/.exec(segments.findLast((one) => one.startsWith("{")) ?? "")?.[1];
  const found = (verb: readonly string[]) => ({ verb: capital(verb.join(" ")), ...(key !== undefined && { key }) });
  for (const own of noun.length > 0 ? [noun, of] : []) {
    const size = words.length - own.length;
    if (size > 0 && words.slice(size).join(" ") === own.join(" ")) return found(words.slice(0, size));
    const rest = words.slice(own.length);
    if (
      rest.length > 0 &&
      words.slice(0, own.length).join(" ") === own.join(" ") &&
      rest.join() === wordsOf(last).join()
    )
      return found(rest);
  }
  // `/orders/{id}/approve`, called `approve`.
  const isBelow = key !== undefined && segments.at(-2)?.startsWith("{") === true;
  return noun.length > 0 && isBelow && words.join() === wordsOf(last).join() ? found(words) : undefined;
}
