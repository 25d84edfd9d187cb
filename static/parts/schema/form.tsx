// A form made from a schema: fields, groups of fields, entries that are added and removed, and a choice among several forms. Any part can
// be written as JSON. All words are the application's own.
import { useId, useRef } from "preact/hooks";
import {
  type FormDraft,
  type FormPart,
  firstDraft,
  formPart,
  isOpenGroup,
  type PartPlace,
  partAnswer,
} from "../../../src/domain/schema-form.js";
import { type JsonObject, toJson } from "../../../src/lib/json.js";
import { toPointer } from "../../../src/lib/json-pointer.js";
import { Field } from "../question-form.js";
import { Revealed } from "../reveal.js";
import { Entry } from "./entry.js";
import type { PlacedFaults } from "./faults.js";
import { fieldsOfJson, placeOfAll } from "./whole.js";

/** What is wrong, by JSON Pointer; as the daemon says it. */
type FormErrors = Readonly<Record<string, string>>;

interface PartProps {
  schema: JsonObject;
  place: PartPlace;
  draft: FormDraft | undefined;
  /** Whether what is wrong is displayed: once it was to be sent. */
  isChecked: boolean;
  /** JSON Pointer of the part. */
  pointer: string;
  /** What the daemon says is wrong, by the pointers of parts. */
  faults: PlacedFaults;
  /** The part at the pointer, and all inside it, are others than the daemon judged. */
  onMended(pointer: string): void;
  onChange(draft: FormDraft | undefined): void;
}

/** What is wrong with a part itself: what the form finds, or else what the daemon said. */
function ownError({ schema, draft, place, isChecked, faults, pointer }: PartProps): string {
  const answer = isChecked ? partAnswer(schema, draft, place) : {};
  const own = "errors" in answer ? (answer.errors as FormErrors)[""] : undefined;
  return own ?? faults.get(pointer) ?? "";
}

/** A part as JSON. */
function JsonPart(props: PartProps & { part: FormPart }) {
  const { part, draft, onChange } = props;
  const id = useId();
  const text = draft && "json" in draft ? draft.json : "";
  const error = ownError({ ...props, draft: { json: text } });
  return (
    <div class="question-field">
      <label for={id}>
        <Revealed text={part.title} />
        <span class="faint"> {part.required ? "required" : "optional"}, as JSON</span>
      </label>
      {part.description !== "" && (
        <p class="faint">
          <Revealed text={part.description} />
        </p>
      )}
      <textarea
        id={id}
        class="edit"
        spellcheck={false}
        rows={Math.min(12, text.split("\n").length + 1)}
        value={text}
        aria-invalid={error !== ""}
        aria-describedby={`${id}-error`}
        onInput={({ currentTarget: { value } }) => onChange(value === "" ? undefined : { json: value })}
      />
      <p class="error-text" id={`${id}-error`}>
        {error}
      </p>
    </div>
  );
}

function Members(props: PartProps & { part: FormPart & { kind: "members" } }) {
  const { part, draft, place, pointer, onChange } = props;
  const members = draft && "members" in draft ? draft.members : {};
  return part.properties.map(({ name, schema, required }) => (
    <SchemaPart
      key={name}
      {...props}
      schema={schema}
      place={{ name, required, root: place.root, depth: place.depth + 1 }}
      pointer={pointer + toPointer([name])}
      draft={Object.hasOwn(members, name) ? members[name] : undefined}
      onChange={(own) => onChange({ members: { ...members, [name]: own } })}
    />
  ));
}

function Items(props: PartProps & { part: FormPart & { kind: "items" } }) {
  const { part, draft, place, pointer, onChange } = props;
  const items = draft && "items" in draft ? draft.items : [];
  const added = useRef(-1);
  const inside = (at: number): PartPlace => ({
    name: `${part.name} ${at + 1}`,
    required: true,
    root: place.root,
    depth: place.depth + 1,
  });
  const change = (next: readonly (FormDraft | undefined)[]): void => {
    props.onMended(pointer);
    onChange(next.length === 0 && !part.required ? undefined : { items: next });
  };
  return (
    <>
      {items.map((item, at) => (
        <Entry key={String(at)} isAdded={added.current === at}>
          <SchemaPart
            {...props}
            schema={part.schema}
            place={inside(at)}
            pointer={`${pointer}/${at}`}
            draft={item}
            onChange={(own) => onChange({ items: items.with(at, own) })}
          />
          <button
            type="button"
            class="link"
            aria-label={`Remove ${part.title} ${at + 1}`}
            onClick={() => change(items.toSpliced(at, 1))}
          >
            Remove
          </button>
        </Entry>
      ))}
      {items.length < part.max && (
        <button
          type="button"
          class="form-add"
          onClick={() => {
            added.current = items.length;
            change([...items, firstDraft(part.schema, inside(items.length))]);
          }}
        >
          Add <Revealed text={part.title} />
        </button>
      )}
    </>
  );
}

function Variants(props: PartProps & { part: FormPart & { kind: "variants" } }) {
  const { part, draft, place, onChange } = props;
  const { variant = 0, of = undefined } = draft && "variant" in draft ? draft : {};
  const inside: PartPlace = { ...place, required: true, depth: place.depth + 1 };
  return (
    <>
      <select
        aria-label={`Form of ${part.title}`}
        value={String(variant)}
        onChange={({ currentTarget: { value } }) => onChange({ variant: Number(value), of: undefined })}
      >
        {part.titles.map((title, at) => (
          <option key={String(at)} value={String(at)}>
            {title}
          </option>
        ))}
      </select>
      <SchemaPart
        {...props}
        schema={part.schemas[variant] ?? {}}
        place={inside}
        draft={of}
        onChange={(own) => onChange({ variant, of: own })}
      />
    </>
  );
}

/** A part with others inside: folded away until it is added, where it need not be there. */
function Group(props: PartProps & { part: Exclude<FormPart, { kind: "field" | "json" }> }) {
  const { part, draft, place, schema, pointer } = props;
  const id = useId();
  const isOpen = isOpenGroup(part, draft);
  // The chosen form says what is wrong with it.
  const error = isOpen && part.kind === "variants" ? "" : ownError(props);
  const onChange = (next: FormDraft | undefined): void => {
    props.onMended(pointer);
    props.onChange(next);
  };
  return (
    <fieldset class="form-group" tabIndex={-1} data-invalid={error !== ""} aria-describedby={`${id}-error`}>
      <legend>
        <Revealed text={part.title} />
        <span class="faint">{part.required ? " required" : " optional"}</span>
      </legend>
      {part.description !== "" && (
        <p class="faint">
          <Revealed text={part.description} />
        </p>
      )}
      {isOpen ? (
        <>
          {part.kind === "members" && <Members {...props} part={part} />}
          {part.kind === "items" && <Items {...props} part={part} />}
          {part.kind === "variants" && <Variants {...props} part={part} />}
          {!part.required && part.kind !== "items" && (
            <button type="button" class="link" onClick={() => onChange(undefined)}>
              Leave out
            </button>
          )}
        </>
      ) : (
        <button
          type="button"
          class="form-add"
          onClick={() => onChange(firstDraft(schema, { ...place, required: true }) ?? { members: {} })}
        >
          Add <Revealed text={part.title} />
        </button>
      )}
      <p class="error-text" id={`${id}-error`}>
        {error}
      </p>
    </fieldset>
  );
}

/** One part of a form, with all that is inside it. */
function SchemaPart(props: PartProps) {
  const { schema, place, draft, isChecked, faults, pointer } = props;
  const part = formPart(schema, place);
  const isJson = part.kind === "json" || (draft !== undefined && "json" in draft);
  if (!isJson && part.kind !== "field") return <Group {...props} part={part} />;
  const onChange = (next: FormDraft | undefined): void => {
    props.onMended(pointer);
    props.onChange(next);
  };
  if (isJson || part.kind !== "field") return <JsonPart {...props} part={part} onChange={onChange} />;
  return (
    <Field
      field={part.field}
      draft={draft && "text" in draft ? draft.text : ""}
      isChecked={isChecked}
      fault={faults.get(pointer) ?? ""}
      onChange={(text) => onChange(text === "" ? undefined : { text })}
    />
  );
}

/** The form of a whole schema: its fields without a frame around them. */
export function SchemaForm(props: {
  schema: JsonObject;
  draft: FormDraft | undefined;
  isChecked: boolean;
  faults: PlacedFaults;
  /** False where the whole as JSON is offered elsewhere. */
  hasJson?: boolean;
  onMended(pointer: string): void;
  onChange(draft: FormDraft | undefined): void;
}) {
  const { schema, draft, hasJson = true } = props;
  const place = placeOfAll(schema);
  const part = formPart(schema, place);
  const isJson = draft !== undefined && "json" in draft;
  const fields = isJson ? fieldsOfJson(schema, draft, place) : draft;
  const toggle = () => {
    if (isJson) return fields && props.onChange(fields);
    const answer = partAnswer(schema, draft, place);
    props.onChange({ json: toJson("value" in answer ? answer.value : {}, 2) });
  };
  const hasFields = hasJson && part.kind === "members";
  return (
    <div class="schema-form">
      {part.kind === "members" && !isJson ? (
        <Members {...props} place={place} pointer="" part={part} />
      ) : (
        <JsonPart {...props} place={place} pointer="" part={part} />
      )}
      {hasFields && (
        <button
          type="button"
          class="link form-json"
          aria-disabled={isJson && !fields}
          title={isJson && !fields ? "The fields cannot hold this JSON" : undefined}
          onClick={toggle}
        >
          {isJson ? "Fill in fields" : "Write as JSON"}
        </button>
      )}
    </div>
  );
}
