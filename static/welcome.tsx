// What an empty conversation shows: what one talks to, and a few prompts that fit its tools.
import type { Tool } from "../src/tool.js";
import type { Conversation } from "./conversation.js";
import { config, tools } from "./daemon.js";
import { counted, words } from "./format.js";
import { sendPrompt } from "./open.js";

const SUGGESTIONS = 4;

/** Prompts that only read, one a resource, so that the first click can do no harm. */
export function suggestions(list: readonly Tool[]): string[] {
  const lists = list.filter((tool) => tool.verb === "list" && tool.safety === "read_only" && tool.resource !== "");
  const required = (tool: Tool) =>
    Array.isArray(tool.input_schema["required"]) && tool.input_schema["required"].length > 0;
  const resources = new Set(lists.filter((tool) => !required(tool)).map((tool) => tool.resource));
  return [...resources].slice(0, SUGGESTIONS).map((resource) => `List ${words(resource).replaceAll("-", " ")}`);
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
