// A call in a few words, the same whether its result came with its event or was left out of the list after a reload: then its rows are
// counted by the daemon once its card is in view.
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import { isPictureDescription } from "../../src/domain/picture.js";
import { toolsByName } from "../state/daemon.js";
import type { CallItem } from "../turn/turn.js";
import { size } from "./format.js";
import { keptSummary, type Summary, summaryOf } from "./summary.js";
import { useSeen } from "./use-seen.js";

/** Summaries that are remembered. */
const MAX_KNOWN = 1_000;
const NOTHING: Summary = { theirs: "", own: "" };

const known = new Map<number, Summary>();

function remember(history_id: number, summary: Summary): void {
  for (const oldest of known.keys()) {
    if (known.size < MAX_KNOWN) break;
    known.delete(oldest);
  }
  known.set(history_id, summary);
}

/** What became of a call in a few words; empty where nothing is known yet. `box` is its card. */
export function useSummary(call: CallItem, box: RefObject<Element | null>): Summary {
  const { kept, omitted, result, name } = call;
  const id = kept === undefined && call.status === "ok" ? omitted?.history_id : undefined;
  const [, setCount] = useState(0);
  const isSeen = useSeen(box, id !== undefined && !known.has(id));
  useEffect(() => {
    if (id === undefined || !isSeen || known.has(id)) return undefined;
    let isGone = false;
    const load = async () => {
      const { countKept } = await import("../state/row-source.js");
      const found = await countKept(id);
      const tool = toolsByName.peek().get(name);
      remember(id, "value" in found ? summaryOf(found.value) : keptSummary(found, call, tool));
      if (!isGone) setCount((count) => count + 1);
    };
    // Its size stays: the row is gone, or the daemon.
    load().catch(() => {});
    return () => {
      isGone = true;
    };
  }, [id, isSeen]);
  const isPicture = result !== undefined && isPictureDescription(result);
  if (kept !== undefined && !isPicture) return keptSummary(kept, call, toolsByName.value.get(name));
  if (omitted !== undefined) return (id !== undefined && known.get(id)) || { theirs: "", own: size(omitted.size) };
  return result === undefined ? NOTHING : summaryOf(result);
}
