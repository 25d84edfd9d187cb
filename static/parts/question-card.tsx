// What an application asks a person in the middle of a call: its own words, marked as such, with a form or a page to visit. Nothing is sent
// and nothing is opened but by a click on what has been there for long enough.
import { useId, useMemo, useRef, useState } from "preact/hooks";
import { type FormField, fieldAnswer, formFields } from "../../src/domain/form.js";
import type { InputRequest } from "../../src/domain/input.js";
import type { JsonObject, JsonValue } from "../../src/lib/json.js";
import type { TrackedConfirmation } from "../state/confirmations.js";
import { DecisionFoot, TimeLeft, useDecision } from "./decision.js";
import { type Drafts, firstDrafts, QuestionForm } from "./question-form.js";
import { Revealed } from "./reveal.js";
import { useSettled } from "./settled.js";

interface QuestionProps {
  confirmation: TrackedConfirmation;
  input: InputRequest;
}

/** How the application is called here: by its name, which is the operator's, never by its own words. */
function nameOf({ application }: TrackedConfirmation): string {
  return application === "" ? "The application" : application;
}

/** The values of a form; undefined while something is wrong with one. */
function valuesOf(fields: readonly FormField[], drafts: Drafts): JsonObject | undefined {
  const values: [string, JsonValue][] = [];
  for (const field of fields) {
    const answer = fieldAnswer(field, drafts[field.name] ?? "");
    if ("error" in answer) return undefined;
    if ("value" in answer) values.push([field.name, answer.value]);
  }
  return Object.fromEntries(values);
}

/** A page to visit: where it is, large, and a link that a person opens. */
function Page({ url }: { url: string }) {
  const link = useRef<HTMLAnchorElement>(null);
  const { settled, isSettled } = useSettled(link, url);
  return (
    <>
      <p class="label">It wants you to visit a page of</p>
      <p class="question-host">
        <Revealed text={new URL(url).host} />
      </p>
      <p class="request-line">
        <Revealed text={url} />
      </p>
      <p>
        <a
          ref={link}
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          aria-disabled={!settled}
          onClick={(event) => {
            if (!isSettled()) event.preventDefault();
          }}
        >
          Open the page
        </a>{" "}
        <span class="faint">in a new tab, if you trust it; then say here that it is done.</span>
      </p>
    </>
  );
}

/** Whether an address is one of the web: no other is made a link. */
function isWeb(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/** A question that waits. */
export function QuestionCard({ confirmation, input }: QuestionProps) {
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const fields = useMemo(() => formFields(input.fields ?? {}), [input]);
  const [drafts, setDrafts] = useState(() => firstDrafts(fields));
  const [isChecked, setChecked] = useState(false);
  const { busy, error, decide } = useDecision(confirmation);
  const { url } = input;
  const name = nameOf(confirmation);
  const send = () => {
    const values = url === undefined ? valuesOf(fields, drafts) : {};
    setChecked(true);
    if (values !== undefined) void decide({ decision: "approve", arguments: url === undefined ? values : undefined });
    // Once the errors are there.
    else setTimeout(() => card.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const buttons = [
    { label: url === undefined ? "Send" : "Done", action: send, class: "approve" },
    { label: "Decline", action: () => void decide({ decision: "deny" }), class: "danger" },
  ];
  return (
    <section class="confirmation" aria-labelledby={id} ref={card}>
      <header class="confirmation-head">
        <h2 id={id}>
          {name} asks you, to go on with <Revealed text={confirmation.tool} />
        </h2>
        <span class="spacer" />
        <TimeLeft id={confirmation.id} end={confirmation.expires_at} />
      </header>
      <div class="confirmation-body">
        <p class="label">In the application's own words</p>
        <blockquote class="question-words">
          {input.message.split("\n").map((line, at) => (
            <p key={String(at)}>
              <Revealed text={line} />
            </p>
          ))}
        </blockquote>
        {url !== undefined && isWeb(url) && <Page url={url} />}
        {url === undefined && (
          <QuestionForm fields={fields} drafts={drafts} isChecked={isChecked} onChange={setDrafts} />
        )}
        <p class="error-text" role="alert">
          {error}
        </p>
      </div>
      <DecisionFoot buttons={buttons} busy={busy} lineClass="faint">
        {url === undefined
          ? `What you send goes to ${name === "The application" ? "the application" : name} and is kept in the history.`
          : "agentd opens nothing by itself and does not see the page."}
      </DecisionFoot>
    </section>
  );
}
