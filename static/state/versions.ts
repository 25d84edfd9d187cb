// Versions of a prompt: the turn that was asked first, and the sessions that stand in its place because it was asked again or written
// otherwise. Made of the sessions that are listed.
import { computed } from "@preact/signals";
import type { SessionSummary } from "../../src/domain/record.js";
import type { Turn } from "../turn/turn.js";
import { current, currentId } from "./conversations.js";
import { sessions } from "./daemon.js";

/** Sessions by the turn that they stand in place of, the oldest first. */
const byTurn = computed(() => {
  const all = sessions.value.filter(({ continues }) => continues !== undefined);
  const groups = Map.groupBy(all, ({ continues }) => continues?.turn_id ?? "");
  for (const group of groups.values()) group.sort((a, b) => a.created_at.localeCompare(b.created_at));
  return groups;
});

/** The number of a session among the versions of a prompt, from 2; undefined for one that stands in place of no turn. */
export function versionNumber({ session_id, continues }: SessionSummary): number | undefined {
  if (continues === undefined) return undefined;
  return (byTurn.value.get(continues.turn_id)?.findIndex((one) => one.session_id === session_id) ?? 0) + 2;
}

const summary = computed(() => sessions.value.find(({ session_id }) => session_id === currentId.value));

/** Whether a turn of the open session stands in place of another: the first that is no copy, which is older than its session. */
function isReplacing(turn: Turn): boolean {
  const session = summary.value;
  const turns = current.value?.turns.value ?? [];
  if (session?.continues === undefined) return false;
  const first = turns.find(({ started_at = "" }) => started_at >= session.created_at) ?? turns.at(-1);
  return first?.key === turn.key;
}

/** The turn that a turn of the open session is a version of: itself, unless it stands in place of another. */
export function firstVersion(turn: Turn): string {
  return (isReplacing(turn) && summary.value?.continues?.turn_id) || turn.turn_id;
}

/** A version, and the turn in it where that is known. */
interface Version {
  session: string;
  turn?: string;
}

/** The versions of a turn of the open session, the oldest first, and which of them it is; undefined when there is no other. */
export function versionsOf(turn: Turn): { list: readonly Version[]; at: number } | undefined {
  const first = firstVersion(turn);
  const own = currentId.value ?? "";
  const original = isReplacing(turn) ? summary.value?.continues?.session_id : own;
  const others = (byTurn.value.get(first) ?? []).map(({ session_id }): Version => ({ session: session_id }));
  const list = original === undefined ? others : [{ session: original, turn: first }, ...others];
  const at = list.findIndex(({ session }) => session === own);
  return list.length < 2 || at < 0 ? undefined : { list, at };
}
