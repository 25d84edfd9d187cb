// What can be asked of a result's rows, above their table: a search, the conditions in force, groups, columns, files.
import { useEffect, useRef, useState } from "preact/hooks";
import { errorText } from "../../state/api.js";
import { visibleColumns } from "../../state/table-layout.js";
import type { Column } from "../../values/column.js";
import { counted } from "../format.js";
import { Icon } from "../icons.js";
import { Revealed } from "../reveal.js";
import { filterText } from "./filters.js";
import { Menu } from "./menu.js";
import { FILE_FORMATS, type FileFormat, saveSelection, selectionAsTsv } from "./save.js";
import type { RowsState } from "./use-result.js";

/** A search begins when nothing was typed for this long. */
const TYPING_PAUSE_MS = 200;
/** Shorter tables are searched by eye. */
const MIN_SEARCHED = 6;

function Search({ list }: { list: RowsState }) {
  const { query, setQuery } = list;
  const [text, setText] = useState(query.q);
  const present = useRef(query);
  present.current = query;
  useEffect(() => setText(query.q), [query.q]);
  useEffect(() => {
    if (text === present.current.q) return;
    const timer = setTimeout(() => setQuery({ ...present.current, q: text }), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <input
      type="search"
      class="result-search"
      aria-label="Search these rows"
      placeholder="Search"
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
    />
  );
}

function GroupMenu({ list }: { list: RowsState }) {
  const { columns, group, setGroup } = list;
  const suited = columns.filter(({ kind }) => ["enum", "boolean", "text", "id", "time", "email"].includes(kind));
  if (suited.length === 0) return null;
  const choose = ({ name, kind }: Column, close: () => void) => {
    const isPresent = group?.field === name;
    setGroup(isPresent ? undefined : { field: name, granularity: kind === "time" ? "month" : undefined });
    close();
  };
  return (
    <Menu
      label="Group by"
      class={group === undefined ? "icon-button" : "icon-button is-on"}
      content={<Icon name="group" />}
    >
      {(close) => (
        <>
          <p class="menu-title">Group by</p>
          {suited.map((column) => (
            <button
              type="button"
              class="menu-item"
              key={column.name}
              aria-pressed={group?.field === column.name}
              onClick={() => choose(column, close)}
            >
              {group?.field === column.name && <Icon name="check" />}
              <Revealed text={column.name} />
            </button>
          ))}
        </>
      )}
    </Menu>
  );
}

function ColumnsMenu({ list }: { list: RowsState }) {
  const { columns, layout, setLayout } = list;
  const toggle = (name: string) => {
    const isHidden = layout.hidden.includes(name);
    setLayout({ ...layout, hidden: isHidden ? layout.hidden.filter((one) => one !== name) : [...layout.hidden, name] });
  };
  return (
    <Menu label="Columns" class="icon-button" content={<Icon name="columns" />}>
      {(close) => (
        <>
          <fieldset class="menu-options">
            <legend class="label">Columns</legend>
            {columns.map(({ name }) => (
              <label key={name}>
                <input
                  type="checkbox"
                  checked={!layout.hidden.includes(name)}
                  disabled={!layout.hidden.includes(name) && layout.hidden.length === columns.length - 1}
                  onChange={() => toggle(name)}
                />
                <Revealed text={name} />
              </label>
            ))}
          </fieldset>
          <button
            type="button"
            class="menu-item"
            onClick={() => {
              setLayout({ order: [], hidden: [], widths: {} });
              close();
            }}
          >
            As it was
          </button>
        </>
      )}
    </Menu>
  );
}

const FORMAT_NAMES: Readonly<Record<FileFormat, string>> = {
  csv: "CSV",
  tsv: "TSV",
  json: "JSON",
  xlsx: "Excel (XLSX)",
};

function SaveMenu({ list }: { list: RowsState }) {
  const [outcome, setOutcome] = useState("");
  const columns = visibleColumns(list.columns, list.layout).map(({ name }) => name);
  const { source, query, recorded } = list;
  const selection = { source, query, columns, recorded };
  const formats = FILE_FORMATS.filter((format) => format !== "xlsx" || recorded !== undefined);
  const run = (work: Promise<string>) => {
    setOutcome("…");
    work.then(setOutcome, (failure: unknown) => setOutcome(errorText(failure)));
  };
  const save = async (format: FileFormat) => {
    await saveSelection(selection, format, list.fileName);
    return "Saved";
  };
  const copy = async () => {
    const { text, rows, matching } = await selectionAsTsv(selection);
    await navigator.clipboard.writeText(text);
    if (rows === matching) return "Copied";
    return `Copied the first ${rows.toLocaleString()} of ${counted(matching, "row")}. A file has all of them.`;
  };
  return (
    <Menu label="Save or copy" class="icon-button" content={<Icon name="download" />}>
      {() => (
        <>
          {formats.map((format) => (
            <button type="button" class="menu-item" key={format} onClick={() => run(save(format))}>
              {`Save as ${FORMAT_NAMES[format]}`}
            </button>
          ))}
          {"clipboard" in navigator && (
            <button type="button" class="menu-item" onClick={() => run(copy())}>
              Copy rows for a spreadsheet
            </button>
          )}
          <p class="faint menu-note" role="status">
            {outcome}
          </p>
        </>
      )}
    </Menu>
  );
}

/** The conditions in force, each with what takes it away. */
export function FilterChips({ list }: { list: RowsState }) {
  const { query, setQuery, group, setGroup } = list;
  if (query.filters.length === 0 && group === undefined) return null;
  return (
    <ul class="filter-chips" aria-label="Conditions">
      {query.filters.map((filter) => (
        <li key={filter.field}>
          <Revealed text={filterText(filter)} lines="mark" />
          <button
            type="button"
            class="icon-button"
            aria-label={`Remove ${filterText(filter)}`}
            onClick={() => setQuery({ ...query, filters: query.filters.filter((one) => one !== filter) })}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
      {group !== undefined && (
        <li>
          <Revealed text={`by ${group.field}${group.granularity === undefined ? "" : `, ${group.granularity}`}`} />
          <button type="button" class="icon-button" aria-label="No groups" onClick={() => setGroup(undefined)}>
            <Icon name="close" />
          </button>
        </li>
      )}
    </ul>
  );
}

/** The tools of a table. */
export function TableTools({ list }: { list: RowsState }) {
  const isLong = list.source.total >= MIN_SEARCHED;
  return (
    <>
      {isLong && <Search list={list} />}
      {isLong && <GroupMenu list={list} />}
      <ColumnsMenu list={list} />
      <SaveMenu list={list} />
    </>
  );
}
