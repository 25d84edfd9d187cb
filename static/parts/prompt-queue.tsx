// The prompts of a conversation that are not sent yet, above the field where the next one is written.
import type { Conversation } from "../state/conversation.js";
import { Icon } from "./icons.js";

/** The queue; renders nothing while it is empty. */
export function PromptQueue({ conversation }: { conversation: Conversation }) {
  const { prompts } = conversation;
  const queue = prompts.waiting.value;
  if (queue.length === 0 || conversation.deleted.value) return null;
  return (
    <section class="queue" aria-label="Waiting prompts">
      {prompts.paused.value && (
        <p class="queue-head">
          {queue[0]?.sentBehind !== undefined ? "The connection was lost: the first may have arrived." : "Paused."}
          <button type="button" class="link" onClick={() => prompts.resume()}>
            Send the waiting prompts
          </button>
        </p>
      )}
      <ul>
        {queue.map((queued) => (
          <li key={queued.key}>
            <Icon name="clock" />
            <span class="queued-text" dir="auto">
              {queued.text}
            </span>
            <button
              type="button"
              class="icon-button"
              aria-label={`Remove: ${queued.text.slice(0, 80)}`}
              onClick={() => prompts.remove(queued.key)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
