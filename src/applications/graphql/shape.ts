// What kind of answer a type is: a connection whose rows stand in nodes or edges, an envelope around one list, a plain record.
// Pure. Source: GraphQL Cursor Connections Specification, sections 2 and 3.
import type { OutputField, OutputType, OutputTypes } from "./output-types.js";

/** A type that holds one page of a list. */
export interface Connection {
  rows: "nodes" | "edges";
  /** The type of one row. */
  item: string;
}

const isList = ({ type }: OutputField): boolean => type.startsWith("[");

/** A page has its size already: what holds its rows takes none. */
const isRows = (field: OutputField): boolean => isList(field) && !field.paged;

/** The connection a type is; undefined for any other. */
export function connectionOf(name: string, types: OutputTypes): Connection | undefined {
  const type = types.get(name);
  if (!type || type.members || !(type.fields.has("pageInfo") || name.endsWith("Connection"))) return undefined;
  const nodes = type.fields.get("nodes");
  if (nodes && isRows(nodes) && types.has(nodes.base)) return { rows: "nodes", item: nodes.base };
  const edges = type.fields.get("edges");
  const node = edges && isRows(edges) ? types.get(edges.base)?.fields.get("node") : undefined;
  return node && !node.paged && types.has(node.base) ? { rows: "edges", item: node.base } : undefined;
}

/** Members that hold the rows where an answer says more than those. */
const ENVELOPED = /^(?:data|docs|entries|hits|items|list|nodes|objects|records|results|rows|values)$/i;

/** The list of records that a type is wrapped around, if there is exactly one such. */
export function envelopedList(type: OutputType, types: OutputTypes): OutputField | undefined {
  if (type.members) return undefined;
  const lists = [...type.fields.values()].filter((field) => isList(field) && types.has(field.base));
  const [only] = lists.filter(({ name }) => ENVELOPED.test(name));
  return lists.length === 1 ? only : undefined;
}

/** Whether a root field of this type gives many records. */
export function givesMany(returns: string, types: OutputTypes): boolean {
  const base = returns.replace(/[[\]!]/g, "");
  if (returns.startsWith("[")) return true;
  const type = types.get(base);
  return connectionOf(base, types) !== undefined || (type !== undefined && envelopedList(type, types) !== undefined);
}

/** The type of one record that a root field gives. */
export function itemOf(returns: string, types: OutputTypes): string {
  const base = returns.replace(/[[\]!]/g, "");
  const type = types.get(base);
  return connectionOf(base, types)?.item ?? (type && envelopedList(type, types)?.base) ?? base;
}
