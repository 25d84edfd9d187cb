// An application on the start page: what it is, its resources with what their tools may do, and what people can ask of each.
import { useState } from "preact/hooks";
import type { PublicConfig } from "../../../src/domain/agent.js";
import type { Safety } from "../../../src/domain/schema-document.js";
import type { Tool } from "../../../src/domain/tool.js";
import type { Conversation } from "../../state/conversation.js";
import { isAmbiguous } from "../../state/daemon.js";
import { propose } from "../../state/focus.js";
import { counted, words } from "../format.js";
import { Revealed } from "../reveal.js";
import { ViewLink } from "../view-link.js";
import { CountRecords } from "./count-records.js";
import { BLANK, listTool, promptsOf } from "./prompts.js";

/** Resources that are listed of an application; the tools page has them all. */
const MAX_RESOURCES = 12;
const SAFETIES: readonly Safety[] = ["read_only", "mutating", "destructive"];

type Application = PublicConfig["applications"][number];

/** What an application is called: by its description, as its database, or by the operator. */
function titleOf({ title, name, kind, base_url }: Application): string {
  if (title !== undefined) return title;
  const database = kind === "sql" ? base_url.split(/[/:]/).at(-1) : "";
  return database || name || base_url || "Application";
}

function SafetyCounts({ tools }: { tools: readonly Tool[] }) {
  const counts = SAFETIES.map((safety) => ({ safety, count: tools.filter((tool) => tool.safety === safety).length }));
  return (
    <span class="safety-counts">
      {counts
        .filter(({ count }) => count > 0)
        .map(({ safety, count }) => (
          <span key={safety} class={`tag safety-${safety}`}>
            {count} {words(safety)}
          </span>
        ))}
    </span>
  );
}

interface ResourceProps {
  name: string;
  tools: readonly Tool[];
  place: string;
  /** The address of its application. */
  target: string;
  conversation: Conversation;
  /** Whether its records are to be counted. */
  isCounted: boolean;
}

function Resource({ name, tools, place, target, conversation, isCounted }: ResourceProps) {
  const list = listTool(tools);
  const prompts = promptsOf(tools, place);
  const label = words(name || "other");
  return (
    <li>
      <details>
        <summary>
          <strong>
            <Revealed text={label} />
          </strong>{" "}
          <span class="faint">{counted(tools.length, "tool")}</span> <SafetyCounts tools={tools} />
        </summary>
        <div class="resource-prompts">
          {prompts.map((text) => (
            <button type="button" key={text} onClick={() => propose(conversation.draft, text, BLANK)}>
              <Revealed text={text} />
            </button>
          ))}
          {prompts.length === 0 && (
            <ViewLink view={{ kind: "tools" }} current={false}>
              Its tools
            </ViewLink>
          )}
        </div>
      </details>
      {list && <CountRecords tool={list} resource={label} target={target} isAsked={isCounted} />}
    </li>
  );
}

/** The card. */
export function ApplicationCard(props: {
  application: Application;
  tools: readonly Tool[];
  conversation: Conversation;
}) {
  const { application, tools, conversation } = props;
  const resources = Object.entries(Object.groupBy(tools, ({ resource }) => resource));
  const title = titleOf(application);
  const place = isAmbiguous(application.name) ? application.name : "";
  const more = resources.length - MAX_RESOURCES;
  const [isCounted, setCounted] = useState(false);
  const shown = resources.slice(0, MAX_RESOURCES);
  const countable = shown.filter(([, own = []]) => listTool(own) !== undefined).length;
  return (
    <section class="start-application">
      <h3>
        <Revealed text={title} />
        {application.name !== "" && application.name !== title && (
          <span class="tag application">{application.name}</span>
        )}
      </h3>
      {application.description !== undefined && (
        <p>
          <Revealed text={application.description} lines="break" />
        </p>
      )}
      {application.base_url !== "" && application.base_url !== title && <p class="faint">{application.base_url}</p>}
      {tools.length === 0 ? (
        <p>
          It has no tools.{" "}
          <ViewLink view={{ kind: "settings" }} current={false}>
            What its last sync found
          </ViewLink>
        </p>
      ) : (
        <ul class="start-resources">
          {shown.map(([name, own = []]) => (
            <Resource
              key={name}
              name={name}
              tools={own}
              target={application.base_url}
              {...{ place, conversation, isCounted }}
            />
          ))}
        </ul>
      )}
      {countable > 1 && !isCounted && (
        <button
          type="button"
          class="link count-all"
          title={`Makes ${countable} calls, which only read`}
          onClick={() => setCounted(true)}
        >
          Count all
        </button>
      )}
      {more > 0 && (
        <ViewLink view={{ kind: "tools" }} current={false}>
          and {counted(more, "more resource")}
        </ViewLink>
      )}
    </section>
  );
}
