// The log of a conversation: its turns, and the confirmations that belong to none of them.
import { pendingConfirmations, type TrackedConfirmation } from "../state/confirmations.js";
import type { Conversation } from "../state/conversation.js";
import type { Turn } from "../turn/turn.js";
import { WaitingCalls } from "./confirmation-group.js";
import { useEarlierTurns } from "./earlier-turns.js";
import { linkedTurn, useFollowEnd } from "./follow-end.js";
import { Icon } from "./icons.js";
import { TurnView } from "./turn-view.js";

/** Confirmations whose call has no card in the log, such as those of a turn too old to be rendered. */
function DetachedConfirmations(props: { pending: readonly TrackedConfirmation[]; turns: readonly Turn[] }) {
  const attached = new Set(
    props.turns.flatMap((turn) => turn.items.map((item) => (item.kind === "call" ? `${turn.turn_id} ${item.id}` : ""))),
  );
  return <WaitingCalls confirmations={props.pending.filter((one) => !attached.has(`${one.turn_id} ${one.call_id}`))} />;
}

/** The log of a conversation. */
export function Log({ conversation }: { conversation: Conversation }) {
  const turns = conversation.turns.value;
  const pending = pendingConfirmations.value.filter((one) => one.session_id === conversation.id);
  const { box, column, atEnd, toEnd, onClick, ...follow } = useFollowEnd(turns, pending[0]?.id ?? "");
  const { hidden, showEarlier, ...earlier } = useEarlierTurns(box, turns, linkedTurn());
  const onScroll = () => {
    follow.onScroll();
    earlier.onScroll();
  };
  const handlers = { onClick, onScroll };
  return (
    <div class="log-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable from the keyboard */}
      <div class="log" ref={box} role="log" aria-label="Conversation" aria-live="off" tabIndex={0} {...handlers}>
        <div class="column" ref={column}>
          {hidden > 0 && (
            <button type="button" class="link" onClick={showEarlier}>
              Show earlier ({hidden})
            </button>
          )}
          {turns.slice(hidden).map((turn) => (
            <TurnView key={turn.key} turn={turn} />
          ))}
          <DetachedConfirmations pending={pending} turns={turns.slice(hidden)} />
        </div>
      </div>
      {!atEnd && (
        <button type="button" class="to-end" aria-label="To the newest message" onClick={toEnd}>
          <Icon name="down" />
        </button>
      )}
    </div>
  );
}
