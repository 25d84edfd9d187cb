// When the numbers of an answer become links to where they come from: once its turn is over and the answer has come into view, beside
// other work.
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Turn } from "../../turn/turn.js";
import { useSeen } from "../use-seen.js";
import type { LinkedNumbers } from "./origins.js";

/** After a turn its calls are completed by their history rows. */
const PAUSE_MS = 300;

/** The results of a turn as a text that is another one where another result has come; "" where there is none. */
function resultsOf({ items }: Turn): string {
  const results = items.map((item) => {
    if (item.kind !== "call" || (item.result === undefined && item.omitted === undefined)) return "";
    const where = item.omitted !== undefined ? "omitted" : item.kept !== undefined ? "kept" : "here";
    return `${item.id} ${where} ${item.history_id ?? ""} ${item.status ?? ""};`;
  });
  return results.join("");
}

/** The numbers of an answer that lead to a result of its turn; undefined until they are found, and while the turn runs. */
export function useOrigins(
  text: string,
  turn: Turn | undefined,
  box: RefObject<Element | null>,
): LinkedNumbers | undefined {
  const [found, setFound] = useState<LinkedNumbers | undefined>(undefined);
  const results = turn === undefined ? "" : resultsOf(turn);
  const asks = results !== "" && /\d/.test(text);
  const isSeen = useSeen(box, asks);
  useEffect(() => {
    if (turn === undefined || !asks || !isSeen) return undefined;
    const aborted = new AbortController();
    const link = async () => {
      const { linkNumbers } = await import("./origins.js");
      await linkNumbers(text, turn, { onChange: setFound, signal: aborted.signal });
    };
    // Without them the answer is as it was: the page has moved on, or the daemon is gone.
    const timer = setTimeout(() => void link().catch(() => {}), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      aborted.abort();
    };
  }, [text, turn?.key, results, isSeen]);
  return turn === undefined ? undefined : found;
}
