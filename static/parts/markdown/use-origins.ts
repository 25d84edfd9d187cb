// When the numbers of an answer become links to the cells they come from: once its turn is over, beside other work.
import { useEffect, useState } from "preact/hooks";
import type { Turn } from "../../turn/turn.js";
import type { LinkedNumbers } from "./origins.js";

/** After a turn its calls are completed by their history rows. */
const PAUSE_MS = 300;

const hasResult = ({ items }: Turn): boolean => items.some((item) => item.kind === "call" && item.result !== undefined);

/** The numbers of an answer that lead to a cell in a result of its turn; undefined until they are found, and while the turn runs. */
export function useOrigins(text: string, turn: Turn | undefined): LinkedNumbers | undefined {
  const [found, setFound] = useState<LinkedNumbers | undefined>(undefined);
  useEffect(() => {
    if (turn === undefined || !hasResult(turn) || !/\d/.test(text)) return undefined;
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
  }, [text, turn]);
  return turn === undefined ? undefined : found;
}
