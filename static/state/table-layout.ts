// How the table of a tool's results is laid out in this browser: the order of its columns, the hidden ones, their widths.

/** The layout of a table. Columns that are not in it stand behind the others, as wide as suits them. */
export interface TableLayout {
  order: readonly string[];
  hidden: readonly string[];
  /** In pixels. */
  widths: Readonly<Record<string, number>>;
}

const STORAGE_KEY = "agentd.tables";
/** The layouts of this many tools are remembered, those changed last. */
const MAX_TOOLS = 100;
const NO_LAYOUT: TableLayout = { order: [], hidden: [], widths: {} };

function stored(): [string, TableLayout][] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(value) ? (value as [string, TableLayout][]) : [];
  } catch {
    return [];
  }
}

/** The layout of a tool's tables. */
export function layoutOf(tool: string): TableLayout {
  return stored().find(([name]) => name === tool)?.[1] ?? NO_LAYOUT;
}

/** Remembers the layout of a tool's tables; an empty one is forgotten. A tool without a name has none. */
export function rememberLayout(tool: string, layout: TableLayout): void {
  if (tool === "") return;
  const others = stored().filter(([name]) => name !== tool);
  const isEmpty = layout.order.length + layout.hidden.length + Object.keys(layout.widths).length === 0;
  const next = isEmpty ? others : [...others, [tool, layout] as const].slice(-MAX_TOOLS);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(next));
  } catch {
    // A full storage keeps what it has; the table is as it is until the page is left.
  }
}

/** The columns in their order, without the hidden ones. */
export function visibleColumns<T extends { name: string }>(columns: readonly T[], { order, hidden }: TableLayout): T[] {
  const place = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  const shown = columns.filter(({ name }) => !hidden.includes(name));
  return shown.toSorted((a, b) => place(a.name) - place(b.name));
}
