// An empty conversation: the application behind it, and a few prompts that fit its tools.
import type { Tool } from "../../src/domain/tool.js";
import type { Conversation } from "../state/conversation.js";
import { sendPrompt } from "../state/conversations.js";
import { config, tools } from "../state/daemon.js";
import { counted, words } from "./format.js";

const MAX_SUGGESTIONS = 4;

const needsArguments = ({ input_schema: { required } }: Tool): boolean =>
  Array.isArray(required) && required.length > 0;

/**
 * Prompts that only read, one a resource, so that the first click can do no harm. Tools that take an item of a resource mark
 * it as a collection of records; a report that comes as a list has no such tools.
 */
function suggestions(list: readonly Tool[]): string[] {
  const uses = new Map<string, number>();
  for (const tool of list) if (needsArguments(tool)) uses.set(tool.resource, (uses.get(tool.resource) ?? 0) + 1);
  const usesOf = (resource: string): number => uses.get(resource) ?? 0;
  const lists = list.filter((tool) => tool.verb === "list" && tool.safety === "read_only" && !needsArguments(tool));
  const resources = [...new Set(lists.map((tool) => tool.resource))].filter((resource) => resource !== "");
  const collections = resources.filter((resource) => usesOf(resource) > 0).sort((a, b) => usesOf(b) - usesOf(a));
  const chosen = (collections.length > 0 ? collections : resources).slice(0, MAX_SUGGESTIONS);
  return chosen.map((resource) => `List ${words(resource).replaceAll("-", " ")}`);
}

/** The empty conversation. */
export function Welcome({ conversation }: { conversation: Conversation }) {
  const list = tools.value ?? [];
  const target = config.value?.base_url;
  return (
    <div class="empty">
      <h2>What should be done?</h2>
      <p class="faint">
        {list.length === 0
          ? "No tools yet: run agentd sync to read your application's description."
          : `${counted(list.length, "tool")}${target ? ` for ${target}` : ""}`}
      </p>
      <div class="suggestions">
        {suggestions(list).map((text) => (
          <button type="button" key={text} onClick={() => sendPrompt(text)} disabled={conversation.busy.value}>
            {text}
          </button>
        ))}
      </div>
    </div>
  );
}
