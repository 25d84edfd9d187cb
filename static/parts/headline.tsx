// What a held call would do, in plain words, and how much that matters, by an icon, a word and a colour.
import type { Safety } from "../../src/domain/schema-document.js";
import type { TrackedConfirmation } from "../state/confirmations.js";
import { toolsByName } from "../state/daemon.js";
import { headlineOf, headlineText, IMPORTANCE } from "../turn/headline.js";
import { Icon } from "./icons.js";
import { Revealed } from "./reveal.js";

const ICONS = { read_only: "search", mutating: "pen", destructive: "trash" } as const;

/** How much a call matters. */
export function Importance({ safety }: { safety: Safety }) {
  return (
    <span class={`importance importance-${safety}`}>
      <Icon name={ICONS[safety]} />
      {IMPORTANCE[safety]}
    </span>
  );
}

/** "Delete product 4, Sumatra Night". */
export function Headline({ confirmation }: { confirmation: TrackedConfirmation }) {
  const { verb, subject, fields } = headlineOf(confirmation, toolsByName.value.get(confirmation.tool));
  return (
    <>
      {verb} <Revealed text={subject} />
      {fields !== "" && (
        <>
          : <Revealed text={fields} />
        </>
      )}
    </>
  );
}

/** The same as a line of text, also for a question. */
export function headlineLine(confirmation: TrackedConfirmation): string {
  if (confirmation.input) return `${confirmation.application || "The application"} asks a question`;
  return headlineText(headlineOf(confirmation, toolsByName.value.get(confirmation.tool)));
}
