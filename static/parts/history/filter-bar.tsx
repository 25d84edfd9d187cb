// The filters of the history: they stand in the address, so that a list can be sent to somebody as a link.
import { useEffect, useState } from "preact/hooks";
import { HISTORY_STATUSES } from "../../../src/domain/history-status.js";
import { daysOf, type HistoryFilters, isFiltered, presentFilters, setFilters } from "../../state/history-filters.js";
import { ApplicationFilter } from "../applications.js";
import { words } from "../format.js";

/** New text applies after a pause of this length in the typing. */
const TYPING_PAUSE_MS = 250;

/** A field for text, which is typed faster than it is searched for. */
function TextFilter({
  name,
  label,
  placeholder,
}: {
  name: "q" | "tool" | "session";
  label: string;
  placeholder: string;
}) {
  const present = presentFilters()[name];
  const [text, setText] = useState(present);
  useEffect(() => setText(present), [present]);
  useEffect(() => {
    if (text.trim() === present) return;
    const timer = setTimeout(() => setFilters({ [name]: text.trim() }), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label class={`filter-${name}`}>
      <span>{label}</span>
      <input
        type="search"
        placeholder={placeholder}
        value={text}
        maxLength={200}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </label>
  );
}

/** A choice of one value. */
function ChoiceFilter(props: {
  name: keyof HistoryFilters;
  label: string;
  choices: readonly (readonly [string, string])[];
}) {
  const { name, label, choices } = props;
  return (
    <label>
      <span>{label}</span>
      <select value={presentFilters()[name]} onChange={(event) => setFilters({ [name]: event.currentTarget.value })}>
        <option value="">any</option>
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

const SAFETIES = [
  ["read_only", "reads"],
  ["mutating", "changes"],
  ["destructive", "destroys"],
  ["mutating,destructive", "changes or destroys"],
] as const;
const UNSUCCESSFUL = ["error,blocked,denied,interrupted", "anything but done"] as const;
const RANGE = "range";

/** A time: one of the usual ones, or days. */
function WhenFilter() {
  const { when } = presentFilters();
  const isRange = when.includes("..");
  const [asksDays, setAsksDays] = useState(isRange);
  const { from, to } = daysOf(when);
  const choose = (choice: string) => {
    setAsksDays(choice === RANGE);
    setFilters({ when: choice === RANGE ? "" : choice });
  };
  return (
    <>
      <label>
        <span>When</span>
        <select value={asksDays ? RANGE : when} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="">any time</option>
          <option value="today">today</option>
          <option value="week">the last 7 days</option>
          <option value={RANGE}>from … to …</option>
        </select>
      </label>
      {asksDays && (
        <>
          <label>
            <span>From</span>
            <input
              type="date"
              value={from}
              onChange={(event) => setFilters({ when: `${event.currentTarget.value}..${to}` })}
            />
          </label>
          <label>
            <span>To</span>
            <input
              type="date"
              value={to}
              onChange={(event) => setFilters({ when: `${from}..${event.currentTarget.value}` })}
            />
          </label>
        </>
      )}
    </>
  );
}

/** All of them. */
export function FilterBar() {
  const filters = presentFilters();
  const statuses = [UNSUCCESSFUL, ...HISTORY_STATUSES.map((status) => [status, words(status)] as const)];
  const clear = () => setFilters({ q: "", tool: "", application: "", safety: "", status: "", when: "", session: "" });
  return (
    <search class="filters">
      <TextFilter name="q" label="Text" placeholder="in arguments, request or result" />
      <TextFilter name="tool" label="Tool" placeholder="part of its name" />
      <ApplicationFilter value={filters.application} onChange={(application) => setFilters({ application })} />
      <ChoiceFilter name="safety" label="Safety" choices={SAFETIES} />
      <ChoiceFilter name="status" label="Status" choices={statuses} />
      <WhenFilter />
      <TextFilter name="session" label="Session" placeholder="whole id" />
      {isFiltered(filters) && (
        <button type="button" class="filters-clear" onClick={clear}>
          Clear filters
        </button>
      )}
    </search>
  );
}
