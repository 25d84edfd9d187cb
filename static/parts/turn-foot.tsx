// What stands under a turn that is over: what can be done with it, when it was, how long it took and what it used.

import { currentId, writeAgain } from "../state/conversations.js";
import { pathOf } from "../state/route.js";
import { presentMinute } from "../state/ticks.js";
import type { Turn } from "../turn/turn.js";
import { Copy } from "./copy.js";
import { duration, fullTime, tokens } from "./format.js";
import { TurnAgain } from "./turn-again.js";
import { TurnVersions } from "./turn-versions.js";

const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });
const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** How long ago a time is. */
function ago(iso: string): string {
  const ms = Math.max(0, presentMinute.value - Date.parse(iso));
  for (const [unit, length] of UNITS) if (ms >= length) return RELATIVE.format(-Math.floor(ms / length), unit);
  return "just now";
}

/** How long a turn took; "" where that is not known. */
function took({ started_at, ended_at }: Turn): string {
  const ms = Date.parse(ended_at ?? "") - Date.parse(started_at ?? "");
  return Number.isNaN(ms) || ms < 0 ? "" : ` · ${duration(ms)}`;
}

/** The line under a turn. */
export function TurnFoot({ turn, isEdited, onEdit }: { turn: Turn; isEdited: boolean; onEdit(): void }) {
  const answer = turn.items.findLast((item) => item.kind === "text");
  const { started_at } = turn;
  return (
    <p class="turn-foot">
      {answer !== undefined && <Copy label="Copy answer" text={() => answer.text} />}
      {turn.turn_id !== "" && (
        <a
          class="turn-link"
          href={pathOf({ kind: "chat", session: currentId.value, turn: turn.turn_id })}
          aria-label="Link to this turn"
        >
          Link
        </a>
      )}
      {turn.status !== "done" && (
        <button type="button" class="link" onClick={() => writeAgain(turn.prompt)}>
          Write it again
        </button>
      )}
      <TurnVersions turn={turn} />
      <TurnAgain turn={turn} isEdited={isEdited} onEdit={onEdit} />
      {started_at !== undefined && (
        <time dateTime={started_at} title={fullTime(started_at)}>
          {ago(started_at)}
          {took(turn)}
        </time>
      )}
      {turn.usage !== undefined && (
        <span>
          {turn.usage.model} · {tokens(turn.usage)}
        </span>
      )}
    </p>
  );
}
