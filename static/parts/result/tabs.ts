// The ways to look at a result and their names.

/** A way to look at a result. */
export type Tab = "table" | "chart" | "fields" | "json";

/** In the order in which they are displayed. */
export const TABS: readonly Tab[] = ["table", "chart", "fields", "json"];

export const TAB_NAMES: Readonly<Record<Tab, string>> = {
  table: "Table",
  chart: "Chart",
  fields: "Fields",
  json: "JSON",
};
