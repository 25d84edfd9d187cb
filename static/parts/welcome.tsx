// An empty conversation: the applications behind it, a few prompts that fit their tools, and the ways to a first application.
import type { Tool } from "../../src/domain/tool.js";
import type { Conversation } from "../state/conversation.js";
import { sendPrompt } from "../state/conversations.js";
import { applications, config, isAmbiguous, tools } from "../state/daemon.js";
import { BrokenApplications } from "./applications.js";
import { counted, words } from "./format.js";
import { Markdown } from "./markdown.js";

const MAX_SUGGESTIONS = 4;

const needsArguments = ({ input_schema: { required } }: Tool): boolean =>
  Array.isArray(required) && required.length > 0;

/** What a person would call the records of a resource: with several applications a name belongs to it. */
function nounOf({ application, resource }: Tool): string {
  return isAmbiguous(application) && resource !== "" ? `${application} ${resource}`.trim() : resource;
}

/**
 * Prompts that only read, one a resource, so that the first click can do no harm. Tools that take an item of a resource mark
 * it as a collection of records; a report that comes as a list has no such tools.
 */
function suggestions(list: readonly Tool[]): string[] {
  const uses = new Map<string, number>();
  for (const tool of list) if (needsArguments(tool)) uses.set(nounOf(tool), (uses.get(nounOf(tool)) ?? 0) + 1);
  const usesOf = (noun: string): number => uses.get(noun) ?? 0;
  const lists = list.filter((tool) => tool.verb === "list" && tool.safety === "read_only" && !needsArguments(tool));
  const nouns = [...new Set(lists.map(nounOf))].filter((noun) => noun !== "");
  const collections = nouns.filter((noun) => usesOf(noun) > 0).sort((a, b) => usesOf(b) - usesOf(a));
  const chosen = (collections.length > 0 ? collections : nouns).slice(0, MAX_SUGGESTIONS);
  return chosen.map((noun) => `List ${words(noun).replaceAll("-", " ")}`);
}

function whichApplications(): string {
  if (applications.value.length > 1) return ` of ${counted(applications.value.length, "application")}`;
  const address = config.value?.base_url ?? "";
  return address === "" ? "" : ` for ${address}`;
}

/** The empty conversation. */
export function Welcome({ conversation }: { conversation: Conversation }) {
  const list = tools.value ?? [];
  const steps = config.value?.first_steps ?? [];
  if (steps.length > 0)
    return (
      <div class="empty">
        <h2>No application is connected yet</h2>
        <div class="first-steps">
          <Markdown text={steps.map((step, i) => `${i + 1}. ${step}`).join("\n")} />
        </div>
      </div>
    );
  return (
    <div class="empty">
      <h2>What should be done?</h2>
      <p class="faint">
        {counted(list.length, "tool")}
        {whichApplications()}
      </p>
      <BrokenApplications />
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
