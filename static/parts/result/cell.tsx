// One value as it is set in type. Nothing foreign is loaded to display it: an image is drawn only when its bytes are in the value.
import type { JsonValue } from "../../../src/lib/json.js";
import { openThing } from "../../state/things.js";
import { bytesText, cellText, chipColour, fileOf } from "../../values/cell.js";
import { type Column, isLink } from "../../values/column.js";
import type { ThingTool } from "../../values/links.js";
import { imageIn } from "../../values/picture.js";
import { type LineEnds, Revealed } from "../reveal.js";
import { Picture } from "./picture.js";

/** Characters of a text in a cell; the rest is a click away. */
const MAX_TEXT = 400;

/** A cell of a table, or the value of a field. */
interface CellProps {
  value: JsonValue | undefined;
  column: Column;
  row: Record<string, JsonValue>;
  /** What gets the thing the value names. */
  link?: ThingTool | undefined;
  /** How the lines of a text are displayed; on one line where it is not said. */
  lines?: LineEnds | undefined;
}

function Chip({ text }: { text: string }) {
  return (
    <span class={`chip chip-${chipColour(text)}`}>
      <Revealed text={text} lines="mark" />
    </span>
  );
}

function Plain({ text, lines = "mark" }: { text: string; lines?: LineEnds | undefined }) {
  const shown = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text;
  return <Revealed text={shown} lines={lines} />;
}

/** A text that stands for something else: an address, a colour, an image. */
function Special({ text, kind }: { text: string; kind: Column["kind"] }) {
  if (kind === "link" && isLink(text))
    return (
      <a href={text} target="_blank" rel="noopener noreferrer">
        <Plain text={text.replace(/^https?:\/\/(www\.)?/i, "").replace(/\/$/, "")} />
      </a>
    );
  if (kind === "email")
    return (
      <a href={`mailto:${encodeURIComponent(text)}`}>
        <Plain text={text} />
      </a>
    );
  if (kind === "color")
    return (
      <span class="swatch-text">
        <span class="swatch" aria-hidden="true" style={{ backgroundColor: text.trim() }} />
        {text}
      </span>
    );
  return <Plain text={text} />;
}

/**
 * A value that stands for nothing else, as its column writes it. Only text of the application has its invisible characters made
 * visible: what the page formatted has those of the reader's language.
 */
export function Written({ value, column, row, lines }: Omit<CellProps, "link">) {
  const { text, isFormatted } = cellText(value, column, row);
  return isFormatted ? <bdi>{text}</bdi> : <Plain text={text} lines={lines} />;
}

/** The content of a cell. What it unfolds to is not in it. */
export function CellContent({ value, column, row, link, lines }: CellProps) {
  if (value === undefined) return null;
  if (value === null) return <span class="quiet">null</span>;
  const image = imageIn(row, column.name);
  if (image !== undefined) return <Picture src={image} name={column.name} />;
  const file = fileOf(value);
  if (file !== undefined) return <span>{`${file.type}, ${bytesText(file.bytes)}`}</span>;
  const { text, isFormatted } = cellText(value, column, row);
  if (link !== undefined && typeof value !== "object")
    return (
      <button type="button" class="link thing" onClick={() => openThing({ ...link, key: value })}>
        <Written value={value} column={column} row={row} />
      </button>
    );
  if (typeof value === "object" && Object.keys(value).length === 0) return <span class="quiet">none</span>;
  if (value === "") return <span class="quiet">empty</span>;
  if (value === false) return <span class="quiet">{text}</span>;
  if (value === true) return <span class="yes">{text}</span>;
  if (Array.isArray(value) && value.length > 0 && value.length <= 6 && value.every((item) => typeof item === "string"))
    return (
      <span class="chips">
        {value.map((item, i) => (
          <Chip key={i} text={item as string} />
        ))}
      </span>
    );
  if (column.kind === "enum") return <Chip text={text} />;
  if (typeof value === "string" && column.kind !== "text" && !isFormatted)
    return <Special text={text} kind={isLink(value) ? "link" : column.kind} />;
  if (typeof value === "string" && isLink(value)) return <Special text={value} kind="link" />;
  return <Written value={value} column={column} row={row} lines={lines} />;
}
