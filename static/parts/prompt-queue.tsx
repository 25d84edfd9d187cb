// The prompts of a conversation that are not sent yet, above the field where the next one is written.
import type { Conversation } from "../state/conversation.js";
import { Icon } from "./icons.js";

/** The queue; renders nothing while it is empty. */
export function PromptQueue({ conversation }: { conversation: Conversation }) {
  const queue = conversation.queue.value;
  if (queue.length === 0) return null;
  return (
    <section class="queue" aria-label="Waiting prompts">
      {conversation.paused.value && (
        <p class="queue-head">
          Paused.
          <button type="button" class="link" onClick={() => conversation.resume()}>
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
              onClick={() => conversation.unqueue(queued.key)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
