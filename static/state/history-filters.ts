// The filters of the history page, as they stand in its address. Only what is known is read from there, and nothing of it says
// where this page connects.
import { HISTORY_STATUSES } from "../../src/domain/history-status.js";
import { navigate, view } from "./route.js";

/** Every filter by its name in the address; "" for none. */
export interface HistoryFilters {
  q: string;
  /** Part of a name. */
  tool: string;
  application: string;
  safety: string;
  status: string;
  /** `today`, `week`, or a range of days as 2026-01-31..2026-02-28, each end of which may be missing. */
  when: string;
  session: string;
}

const NONE: HistoryFilters = { q: "", tool: "", application: "", safety: "", status: "", when: "", session: "" };
const NAMES = Object.keys(NONE) as (keyof HistoryFilters)[];
const MAX_CHARS = 200;
const DAY = /^(\d{4}-\d\d-\d\d)?$/;
const SAFETIES = ["read_only", "mutating", "destructive", "mutating,destructive"];

/** The two ends of a range of days, "" for an open one. */
export function daysOf(when: string): { from: string; to: string } {
  const [from = "", to = ""] = when.split("..");
  return DAY.test(from) && DAY.test(to) ? { from, to } : { from: "", to: "" };
}

function isKnown(name: keyof HistoryFilters, value: string): boolean {
  if (name === "status") return value.split(",").every((one) => (HISTORY_STATUSES as readonly string[]).includes(one));
  if (name === "safety") return SAFETIES.includes(value);
  if (name === "when")
    return ["today", "week"].includes(value) || Object.values(daysOf(value)).some((day) => day !== "");
  return value.length <= MAX_CHARS;
}

/** The filters that an address asks for. */
export function filtersIn(search: string): HistoryFilters {
  const query = new URLSearchParams(search);
  const filters = { ...NONE };
  for (const name of NAMES) {
    const value = query.get(name) ?? "";
    if (isKnown(name, value)) filters[name] = value;
  }
  return filters;
}

/** The query of an address with these filters, "" for none. */
function searchOf(filters: HistoryFilters): string {
  const given = NAMES.filter((name) => filters[name].trim() !== "").map((name) => [name, filters[name]]);
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

/** The filters of the present address. */
export function presentFilters(): HistoryFilters {
  return filtersIn(view.value.kind === "history" ? (view.value.search ?? "") : "");
}

/** Puts filters into the address; a row that is open stays open. */
export function setFilters(change: Partial<HistoryFilters>): void {
  const now = view.peek();
  if (now.kind !== "history") return;
  navigate({ ...now, search: searchOf({ ...presentFilters(), ...change }) }, { replace: true });
}

/** Whether any filter is set. */
export const isFiltered = (filters: HistoryFilters): boolean => NAMES.some((name) => filters[name] !== "");

/** The beginning of a day here, so many days ago, for the daemon. */
function midnight(daysAgo: number): string {
  const day = new Date();
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - daysAgo);
  return day.toISOString();
}

function timesOf(when: string): { from?: string; to?: string } {
  if (when === "today") return { from: midnight(0) };
  if (when === "week") return { from: midnight(6) };
  const { from, to } = daysOf(when);
  const local = (day: string, time: string): string | undefined => {
    const date = new Date(`${day}T${time}`);
    return day === "" || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
  };
  const [first, last] = [local(from, "00:00:00.000"), local(to, "23:59:59.999")];
  return { ...(first !== undefined && { from: first }), ...(last !== undefined && { to: last }) };
}

/** The parameters of GET /history for filters; `unnamed` is what stands for the application without a name. */
export function historyQuery(filters: HistoryFilters, unnamed: string): URLSearchParams {
  const { q, tool, application, safety, status, when, session } = filters;
  const fields = { q, tool_contains: tool, safety, status, session_id: session.trim(), ...timesOf(when) };
  const query = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== ""));
  if (application !== "") query.set("application", application === unnamed ? "" : application);
  return query;
}
