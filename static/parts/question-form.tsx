// The fields of a question, as an application describes them: all their words are its own. Values are kept as what was typed, choices by
// their positions, as in src/domain/form.ts.
import { useId } from "preact/hooks";
import { type FormField, fieldAnswer, fieldError } from "../../src/domain/form.js";
import { DECEPTIVE, jsonEscape } from "../../src/lib/invisible-characters.js";
import { Revealed } from "./reveal.js";

/** What was typed or chosen, by the names of fields. */
export type Drafts = Readonly<Record<string, string>>;

const INPUT_TYPES = { email: "email", uri: "url", date: "date", "date-time": "datetime-local", "": "text" } as const;

/** A time as the field for it takes it: the person's own, without a zone. */
function localTime(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return "";
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The drafts of a form that nobody has touched. */
export function firstDrafts(fields: readonly FormField[]): Drafts {
  return Object.fromEntries(
    fields.map(({ name, format, initial }) => [
      name,
      format === "date-time" && initial !== "" ? localTime(initial) : initial,
    ]),
  );
}

/** What a field takes, beside its description. */
function limits({ kind, ...given }: FormField): string {
  // What generators write for "any number" tells nobody anything.
  const [min, max] = [given.min, given.max].map((limit) =>
    kind === "integer" && Math.abs(limit ?? 0) >= Number.MAX_SAFE_INTEGER ? undefined : limit,
  );
  if (kind === "json") return "a value as JSON";
  if (min === undefined && max === undefined) return kind === "integer" ? "a whole number" : "";
  const unit = kind === "text" ? " characters" : kind === "choices" ? " of these" : "";
  if (min === undefined) return `at most ${max}${unit}`;
  return max === undefined ? `at least ${min}${unit}` : `${min} to ${max}${unit}`;
}

interface ControlProps {
  field: FormField;
  draft: string;
  id: string;
  describedBy: string;
  isInvalid: boolean;
  onChange(draft: string): void;
}

/** The text of a choice or a placeholder, where nothing but text can stand. */
const plain = (text: string): string => text.replace(DECEPTIVE, jsonEscape);

/** Several choices, each a box to tick. */
function Boxes({ field, draft, id, isInvalid, describedBy, onChange }: ControlProps) {
  const chosen = draft === "" ? [] : draft.split(",");
  const toggle = (at: string): void => {
    const next = chosen.includes(at) ? chosen.filter((one) => one !== at) : [...chosen, at];
    onChange(next.sort((a, b) => Number(a) - Number(b)).join(","));
  };
  return field.choices.map((choice, at) => (
    <label key={String(at)} class="question-box">
      <input
        type="checkbox"
        id={at === 0 ? id : undefined}
        aria-invalid={isInvalid}
        aria-describedby={describedBy}
        checked={chosen.includes(String(at))}
        onChange={() => toggle(String(at))}
      />
      <Revealed text={choice.title} />
    </label>
  ));
}

function Control(props: ControlProps) {
  const { field, draft, id, isInvalid, onChange } = props;
  const common = {
    id,
    value: draft,
    "aria-required": field.required,
    "aria-invalid": isInvalid,
    "aria-describedby": props.describedBy,
  };
  if (field.kind === "choices") return <Boxes {...props} />;
  if (field.kind === "choice")
    return (
      <select {...common} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{field.required ? "Choose…" : "—"}</option>
        {field.choices.map((choice, at) => (
          <option key={String(at)} value={String(at)}>
            {plain(choice.title)}
          </option>
        ))}
      </select>
    );
  const isNumber = field.kind === "number" || field.kind === "integer";
  return (
    <input
      {...common}
      // One of several types, which the types of the attributes tell apart.
      type={INPUT_TYPES[field.format] as "text"}
      inputMode={isNumber ? (field.kind === "integer" ? "numeric" : "decimal") : undefined}
      autocomplete="off"
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** One field with its name, what it takes, and what is wrong with it once that is to be displayed. */
export function Field(props: {
  field: FormField;
  draft: string;
  isChecked: boolean;
  /** What the daemon says is wrong with it. */
  fault?: string;
  onChange(draft: string): void;
}) {
  const { field, draft, isChecked, fault = "", onChange } = props;
  const id = useId();
  const error = (isChecked && fieldError(fieldAnswer(field, draft))) || fault;
  const about = limits(field);
  const hasAbout = field.description !== "" || about !== "";
  const isGroup = field.kind === "choices";
  const name = (
    <>
      <Revealed text={field.title} />
      <span class="faint">{field.required ? " required" : " optional"}</span>
    </>
  );
  const control = (
    <>
      {hasAbout && (
        <p class="faint" id={`${id}-about`}>
          <Revealed text={field.description} />
          {field.description !== "" && about !== "" ? " — " : ""}
          {about}
        </p>
      )}
      <Control
        field={field}
        draft={draft}
        id={id}
        describedBy={hasAbout ? `${id}-about ${id}-error` : `${id}-error`}
        isInvalid={error !== ""}
        onChange={onChange}
      />
      <p class="error-text" id={`${id}-error`}>
        {error}
      </p>
    </>
  );
  return isGroup ? (
    <fieldset class="question-field">
      <legend>{name}</legend>
      {control}
    </fieldset>
  ) : (
    <div class="question-field">
      <label for={id}>{name}</label>
      {control}
    </div>
  );
}

/** The fields of a form. Errors are displayed once it was to be sent. */
export function QuestionForm(props: {
  fields: readonly FormField[];
  drafts: Drafts;
  isChecked: boolean;
  onChange(drafts: Drafts): void;
}) {
  return props.fields.map((field) => (
    <Field
      key={field.name}
      field={field}
      draft={props.drafts[field.name] ?? ""}
      isChecked={props.isChecked}
      onChange={(draft) => props.onChange({ ...props.drafts, [field.name]: draft })}
    />
  ));
}
