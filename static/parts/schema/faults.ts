// What the daemon says is wrong with the arguments of a form, at the part that displays it: the nearest one there is.
import type { ArgumentFault } from "../../../src/domain/argument-fault.js";
import { type FormDraft, formPart, isOpenGroup, type PartPlace } from "../../../src/domain/schema-form.js";
import type { JsonObject } from "../../../src/lib/json.js";
import { toPointer } from "../../../src/lib/json-pointer.js";

/** Messages by the JSON Pointers of parts; "" for what stands above the form. */
export type PlacedFaults = ReadonlyMap<string, string>;

interface Shown {
  schema: JsonObject;
  draft: FormDraft | undefined;
  place: PartPlace;
}

/** The pointers of the parts that a form displays. */
function shownPointers({ schema, draft, place }: Shown, pointer: string): string[] {
  const part = formPart(schema, place);
  if (part.kind === "field" || part.kind === "json" || (draft && "json" in draft) || !isOpenGroup(part, draft))
    return [pointer];
  const depth = place.depth + 1;
  const inside = (one: JsonObject, own: Omit<Shown["place"], "root" | "depth"> & { draft: FormDraft | undefined }) =>
    shownPointers(
      { schema: one, draft: own.draft, place: { ...own, root: place.root, depth } },
      part.kind === "variants" ? pointer : pointer + toPointer([own.name]),
    );
  switch (part.kind) {
    case "members": {
      const members = draft && "members" in draft ? draft.members : {};
      const lists = part.properties.map((one) => inside(one.schema, { ...one, draft: members[one.name] }));
      return [pointer, ...lists.flat()];
    }
    case "items": {
      const items = draft && "items" in draft ? draft.items : [];
      const lists = items.map((item, at) => inside(part.schema, { name: String(at), required: true, draft: item }));
      return [pointer, ...lists.flat()];
    }
    case "variants": {
      const { variant = 0, of = undefined } = draft && "variant" in draft ? draft : {};
      const list = inside(part.schemas[variant] ?? {}, { name: part.name, required: true, draft: of });
      return [pointer, ...list];
    }
    default:
      return part satisfies never;
  }
}

const parentOf = (pointer: string): string => pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));

/** Each fault at the nearest part that is displayed, with the way from there where that is another one. */
export function placeFaults(faults: readonly ArgumentFault[], form: Shown): PlacedFaults {
  const shown = new Set(shownPointers(form, ""));
  const placed = new Map<string, string>();
  for (const { pointer, message } of faults) {
    let at = pointer;
    while (at !== "" && !shown.has(at)) at = parentOf(at);
    const rest = pointer.slice(at.length);
    const text = rest === "" ? message : `${rest.slice(1)}: ${message}`;
    placed.set(at, [placed.get(at), text].filter(Boolean).join("; "));
  }
  return placed;
}

/** Those that still stand once a part was changed: not its own, nor those inside it or around it. */
export function withoutMended(faults: PlacedFaults, pointer: string): PlacedFaults {
  const isMended = (at: string): boolean =>
    at !== "" && (at === pointer || at.startsWith(`${pointer}/`) || pointer.startsWith(`${at}/`));
  return new Map([...faults].filter(([at]) => !isMended(at)));
}
