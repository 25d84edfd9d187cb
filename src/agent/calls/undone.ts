// What a call of `undo` takes back: the row, its images, and the action that was called, which its transport works by. Only
// what can be taken back is found; everything else has a reason.
// Source: docs/reference.md, "Undo".
import type { HistoryEntry } from "../../domain/record.js";
import type { Action } from "../../domain/schema-document.js";
import { isUndoable } from "../../domain/undo-state.js";
import { isObject, type JsonObject, type JsonValue, toJson } from "../../lib/json.js";
import type { Store } from "../../store/store.js";
import type { PrepareContext } from "../context.js";

/** A call that can be taken back. */
interface Undone {
  entry: HistoryEntry;
  /** The one that was called. */
  action: Action;
  images: JsonObject;
}

/** Rows behind a call that are looked at for those that changed the same. */
const MAX_LATER = 500;

/** A row by its id. */
export async function historyRow(store: Pick<Store, "history">, id: number): Promise<HistoryEntry | undefined> {
  const [row] = await store.history({ before: id + 1, after: id - 1, limit: 1 });
  return row;
}

/** Why a row cannot be taken back; undefined when it may be. */
function reasonAgainst({ id, tool, status, safety, undo, effect }: HistoryEntry): string | undefined {
  const call = `the call ${id} (${tool})`;
  if (tool === "undo" && status === "ok")
    return `${call} is an undo, and an undo is final; make the change again instead`;
  if (safety === "read_only") return `${call} changed nothing`;
  if (status !== "ok") return `${call} has the status ${status}: only a change that was made can be undone`;
  if (undo === "done") return `${call} was undone already`;
  if (undo !== "impossible") return undefined;
  const known = effect
    ? "what undoing it needs was not kept, or is not there any more"
    : "its application does not tell what it changed";
  return `${call} cannot be undone: ${known}`;
}

/** Undos under way of each record, by the call that they take back. */
const underWay = new WeakMap<object, Map<number, Promise<unknown>>>();

/** Does the work once no other undo of the same call is under way. */
async function alone<T>(store: object, id: number, work: () => Promise<T>): Promise<T> {
  const all = underWay.get(store) ?? new Map<number, Promise<unknown>>();
  underWay.set(store, all);
  const own = Promise.allSettled([all.get(id)]).then(work);
  all.set(id, own);
  try {
    return await own;
  } finally {
    if (all.get(id) === own) all.delete(id);
  }
}

/** Takes a call back once: `work` is given why it cannot be any more, where another undo was faster. */
export function undoOnce<T>(
  store: Pick<Store, "history">,
  id: number,
  work: (reason: string | undefined) => Promise<T>,
): Promise<T> {
  return alone(store, id, async () => {
    const entry = await historyRow(store, id).catch(() => undefined);
    return work(entry ? reasonAgainst(entry) : `the call ${id} cannot be read`);
  });
}

/** The action of a call, whatever it is called by now: what the operator says of it counts for taking the call back, too. */
function actionFor(
  { tool, application }: HistoryEntry,
  kind: JsonValue,
  { catalogue }: PrepareContext,
): Action | undefined {
  const fits = (action: Action): boolean => action.application === application && action.transport.kind === kind;
  return catalogue.actions.find((action) => fits(action) && (action.name === tool || action.aliases?.includes(tool)));
}

/** Finds what a call of `undo` takes back: the row it names, else the newest of the conversation. */
export async function findUndone(
  historyId: number | undefined,
  context: PrepareContext,
): Promise<Undone | { reason: string }> {
  const { store, undoSession } = context;
  const id = historyId ?? (undoSession === undefined ? undefined : await store.newestUndoable(undoSession));
  if (id === undefined) return { reason: "nothing that was done in this conversation can be undone" };
  const entry = await historyRow(store, id);
  if (!entry) return { reason: `there is no call ${id} on record` };
  if (undoSession !== undefined && entry.session_id !== undoSession)
    return { reason: `the call ${id} was not made in this conversation; a person can undo it: agentd undo ${id}` };
  const against = reasonAgainst(entry);
  if (against !== undefined) return { reason: against };
  const kept = await store.images(id);
  const images = kept?.["images"];
  if (!kept || !isObject(images))
    return { reason: `the call ${id} cannot be undone: what undoing it needs is not there any more` };
  const action = actionFor(entry, kept["kind"] ?? null, context);
  if (!action) return { reason: `the call ${id} cannot be undone: its tool is not there any more` };
  return { entry, action, images };
}

/** The error of an undo that found other rows than its call had left, with the later calls that have to be undone before it. */
export async function withLaterCalls(
  error: JsonObject,
  id: number,
  store: Pick<Store, "history">,
): Promise<JsonObject> {
  if (error["error"] !== "conflict") return error;
  const entry = await historyRow(store, id);
  const keysOf = ({ effect }: HistoryEntry): string[] =>
    (effect?.changes ?? []).map(({ resource, key }) => toJson([resource, key]));
  const own = new Set(entry ? keysOf(entry) : []);
  const later = await store.history({ after: id, limit: MAX_LATER, application: entry?.application ?? "" });
  const same = later.filter((row) => isUndoable(row.undo) && keysOf(row).some((key) => own.has(key)));
  return same.length === 0 ? error : { ...error, undo_first: same.map((row) => row.id) };
}
