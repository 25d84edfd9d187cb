// An empty conversation: the applications behind it, a few prompts that fit their tools, and the ways to a first application.

import { useEffect } from "preact/hooks";
import type { Tool } from "../../src/domain/tool.js";
import { pendingConfirmations } from "../state/confirmations.js";
import type { Conversation } from "../state/conversation.js";
import { sendPrompt } from "../state/conversations.js";
import { applications, config, isAmbiguous, tools } from "../state/daemon.js";
import { connectedNow, loadActions, savedActions } from "../state/direct-calls.js";
import { BrokenApplications } from "./applications.js";
import { counted, words } from "./format.js";
import { lazy } from "./lazy.js";
import { ViewLink } from "./view-link.js";

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

const FirstSteps = lazy(async () => (await import("./start/first-steps.js")).FirstSteps);

const ConnectedNote = lazy(async () => (await import("./connect-preview.js")).ConnectedNote);

const ApplicationCard = lazy(async () => (await import("./start/application-card.js")).ApplicationCard);

/** The pinned actions, each a way to its call. */
function PinnedActions() {
  useEffect(() => void loadActions().catch(() => undefined), []);
  const pinned = savedActions.value.filter((one) => one.pinned);
  if (pinned.length === 0) return null;
  return (
    <div class="pinned-actions">
      {pinned.map((action) => (
        <PinnedAction key={action.id} action={action} />
      ))}
    </div>
  );
}

const PinnedAction = lazy(async () => (await import("./form/pinned-action.js")).PinnedAction);

/** The empty conversation. */
export function Welcome({ conversation }: { conversation: Conversation }) {
  if (config.value === undefined) return <div class="empty" />;
  const list = tools.value ?? [];
  const steps = config.value.first_steps ?? [];
  const waiting = pendingConfirmations.value.length;
  if (steps.length > 0)
    return (
      <div class="empty">
        <FirstSteps steps={steps} />
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
      {connectedNow.value && <ConnectedNote />}
      {waiting > 0 && (
        <p>
          <ViewLink view={{ kind: "confirmations" }} current={false}>
            {counted(waiting, "call")} {waiting === 1 ? "waits" : "wait"} for your yes
          </ViewLink>
        </p>
      )}
      <div class="suggestions">
        {suggestions(list).map((text) => (
          <button type="button" key={text} onClick={() => sendPrompt(text)} disabled={conversation.busy.value}>
            {text}
          </button>
        ))}
      </div>
      <PinnedActions />
      <div class="start-applications">
        {applications.value.map((application) => (
          <ApplicationCard
            key={application.name}
            application={application}
            tools={list.filter((tool) => tool.application === application.name)}
            conversation={conversation}
          />
        ))}
      </div>
    </div>
  );
}
