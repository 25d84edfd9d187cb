// Things that are opened from a result, one beside the page at a time: a customer by its id, then one of its orders, and back.
import { signal } from "@preact/signals";
import { isObject, type JsonValue } from "../../src/lib/json.js";
import type { ThingTool } from "../values/links.js";
import { requestJson } from "./api.js";

/** A thing: what gets it, and what it is called there. */
export interface Thing extends ThingTool {
  key: JsonValue;
}

/** The things that were opened, in their order, and which of them is displayed. */
interface Opened {
  list: readonly Thing[];
  at: number;
}

/** What is opened; undefined when nothing is. */
export const opened = signal<Opened | undefined>(undefined);

/** Opens a thing, behind the one that is displayed. */
export function openThing(thing: Thing): void {
  const { list, at } = opened.peek() ?? { list: [], at: -1 };
  opened.value = { list: [...list.slice(0, at + 1), thing], at: at + 1 };
}

/** Goes back by -1, forward by 1. */
export function stepThing(by: -1 | 1): void {
  const present = opened.peek();
  if (present?.list[present.at + by] !== undefined) opened.value = { ...present, at: present.at + by };
}

/** Closes what is opened. */
export function closeThings(): void {
  opened.value = undefined;
}

/** A thing as its tool returned it. */
export interface LoadedThing {
  value: JsonValue;
  history_id: number | undefined;
}

/** Gets a thing: one call of its tool, on the record. Throws ApiError, and Error with the application's reason when it failed. */
export async function loadThing({ tool, argument, key }: Thing, signal: AbortSignal): Promise<LoadedThing> {
  const body = { arguments: { [argument]: key }, read_only: true };
  const path = `/-/tools/${encodeURIComponent(tool)}/call`;
  const answer = await requestJson(path, { method: "POST", body, signal });
  if (!isObject(answer)) throw new Error("The daemon did not make the call.");
  const { status, result, history_id } = answer;
  if (status !== "ok") {
    const message = isObject(result) ? (result["message"] ?? result["error"]) : undefined;
    throw new Error(typeof message === "string" ? message : "The call failed.");
  }
  return { value: result ?? null, history_id: typeof history_id === "number" ? history_id : undefined };
}
