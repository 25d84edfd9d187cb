// The arguments of a held call as a person changes them: the form of its tool, or JSON. What the form cannot hold as it is, and text with
// hidden characters, which no field of a form would show, is JSON with escapes only. The daemon checks what comes out again.
import { useEffect, useRef } from "preact/hooks";
import { type FormDraft, formPart, partAnswer, toDraft } from "../../src/domain/schema-form.js";
import { isObject, type JsonObject, type JsonValue, parseJson, toJson } from "../../src/lib/json.js";
import { errorText } from "../state/api.js";
import { ViewTabs } from "./result/view-tabs.js";
import { escapedJson } from "./reveal.js";
import { SchemaForm } from "./schema/form.js";
import { placeOfAll } from "./schema/whole.js";

/** Arguments that are being edited: what stands in the fields, undefined before anything was displayed, and what it comes to. */
export interface ArgumentsEdit {
  draft?: FormDraft;
  /** Undefined while something is wrong with them. */
  value: JsonObject | undefined;
}

/** Arguments as JSON, or the reason why a text is none. */
function parseArguments(text: string): { value?: JsonObject; error: string } {
  try {
    const value = parseJson(text);
    return isObject(value) ? { value, error: "" } : { error: "Arguments are a JSON object: { … }" };
  } catch (error) {
    return { error: errorText(error) };
  }
}

/** The fields for arguments; undefined where they cannot hold them, or would hide something in them. */
function fieldsFor(schema: JsonObject | undefined, args: JsonObject): FormDraft | undefined {
  if (schema === undefined || escapedJson(args) !== toJson(args, 2)) return undefined;
  const part = formPart(schema, placeOfAll(schema));
  if (part.kind !== "members" || part.properties.length === 0) return undefined;
  const draft = toDraft(schema, args, placeOfAll(schema));
  return "json" in draft ? undefined : draft;
}

function answerOf(draft: FormDraft, schema: JsonObject | undefined): JsonObject | undefined {
  if ("json" in draft) return parseArguments(draft.json).value;
  const answer = partAnswer(schema ?? {}, draft, placeOfAll(schema ?? {}));
  const value = "value" in answer ? (answer.value as JsonValue) : undefined;
  return isObject(value) ? value : undefined;
}

/** The JSON; it is read from its start. */
function JsonField({ text, onInput }: { text: string; onInput(text: string): void }) {
  const { error } = parseArguments(text);
  return (
    <>
      <textarea
        class="edit"
        aria-label="Arguments as JSON"
        spellcheck={false}
        rows={Math.min(16, text.split("\n").length + 1)}
        value={text}
        aria-invalid={error !== ""}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {error !== "" && <p class="error-text">{error}</p>}
    </>
  );
}

/** The arguments, of which the first field takes the focus. `schema` is that of the tool, undefined for one that is gone. */
export function EditArguments(props: {
  schema: JsonObject | undefined;
  args: JsonObject;
  edit: ArgumentsEdit;
  onEdit(edit: ArgumentsEdit): void;
}) {
  const { schema, args, edit, onEdit } = props;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const field = box.current?.querySelector<HTMLInputElement>(".edit-fields :is(input, select, textarea)");
    if (field?.matches("textarea")) field.setSelectionRange(0, 0);
    field?.focus();
  }, []);
  const change = (draft: FormDraft) => onEdit({ draft, value: answerOf(draft, schema) });
  const draft = edit.draft ?? fieldsFor(schema, args) ?? { json: escapedJson(args) };
  const isJson = "json" in draft;
  const present = answerOf(draft, schema);
  const fields = isJson && present ? fieldsFor(schema, present) : undefined;
  const tabs = [
    { name: "Fields", isChosen: !isJson, onChoose: () => fields && change(fields) },
    { name: "JSON", isChosen: isJson, onChoose: () => isJson || change({ json: escapedJson(present ?? args) }) },
  ];
  return (
    <div ref={box} class="edit-arguments">
      <div class="edit-head">
        <p class="label">Arguments, edited</p>
        {(!isJson || fields) && <ViewTabs tabs={tabs} />}
      </div>
      <div class="edit-fields">
        {isJson ? (
          <JsonField text={draft.json} onInput={(json) => change({ json })} />
        ) : (
          <SchemaForm
            schema={schema ?? {}}
            draft={draft}
            isChecked
            hasJson={false}
            faults={new Map()}
            onMended={() => undefined}
            onChange={(next) => change(next ?? { members: {} })}
          />
        )}
      </div>
      <p class="faint">The request is made again from the edited arguments and checked as before.</p>
    </div>
  );
}
