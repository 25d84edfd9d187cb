// Where a key moves in a grid. Pure. Source: WAI-ARIA Authoring Practices, "Grid".

/** A cell: `item` is HEAD in the head. */
interface Place {
  item: number;
  column: number;
}

/** The line of the head. */
export const HEAD = -1;
/** Lines of a page. */
const PAGE = 10;

type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey">;

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** The cell a key leads to from another one; undefined when it is no key of a grid. */
export function gridTarget(
  { key, ctrlKey, metaKey }: Key,
  from: Place,
  size: { items: number; columns: number },
): Place | undefined {
  const isFar = ctrlKey || metaKey;
  const steps: Readonly<Record<string, Place>> = {
    ArrowDown: { item: from.item + 1, column: from.column },
    ArrowUp: { item: from.item - 1, column: from.column },
    ArrowRight: { item: from.item, column: from.column + 1 },
    ArrowLeft: { item: from.item, column: from.column - 1 },
    PageDown: { item: from.item + PAGE, column: from.column },
    PageUp: { item: Math.max(0, from.item - PAGE), column: from.column },
    Home: { item: isFar ? 0 : from.item, column: 0 },
    End: { item: isFar ? size.items - 1 : from.item, column: size.columns - 1 },
  };
  const to = steps[key];
  if (to === undefined) return undefined;
  return { item: clamp(to.item, HEAD, size.items - 1), column: clamp(to.column, 0, size.columns - 1) };
}
