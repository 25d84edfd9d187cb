// The icons, drawn as one family: 16 by 16, a line of one weight, in the colour of the text beside them.

const PATHS = {
  plus: "M8 3v10M3 8h10",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  close: "m4 4 8 8m0-8-8 8",
  send: "M8 13V3M3.5 7.5 8 3l4.5 4.5",
  chevron: "m6 4 4 4-4 4",
  check: "m3.5 8.5 3 3 6-7",
  cross: "m4.5 4.5 7 7m0-7-7 7",
  bar: "M3.5 8h9",
  lock: "M5 7V5.2a3 3 0 0 1 6 0V7M4 7h8v6H4z",
  sliders:
    "M2.5 5h6m3.4 0h1.6M2.5 11h1.6m3.4 0h6M10.2 3.3a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4ZM5.8 9.3a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4Z",
  clock: "M8 4.5V8l2.3 1.6M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z",
  shield: "M8 2.2 13 4v4c0 3-2 5-5 6-3-1-5-3-5-6V4zM5.8 8l1.7 1.7 2.9-3.2",
  pen: "m10.5 3 2.5 2.5L6 12.5l-3.2.7.7-3.2zM9 4.5 11.5 7",
  bell: "M4 11.5h8l-1-1.7V7a3 3 0 0 0-6 0v2.8zM6.8 13.5h2.4",
  trash: "M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5",
  sun: "M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6ZM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9",
  moon: "M13 9.6A5.6 5.6 0 0 1 6.4 3a5.6 5.6 0 1 0 6.6 6.6Z",
  system: "M2.5 3.5h11v7h-11zM6 13h4",
  search: "M7 2.8a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.4ZM10.2 10.2l3 3",
  refresh: "M13 4v3h-3M13 7A5.2 5.2 0 1 0 13 10",
  down: "M8 3v10m4.5-4.5L8 13 3.5 8.5",
  gear: "M8 5.8a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4ZM8 2v1.6M8 12.4V14M2 8h1.6M12.4 8H14M3.8 3.8l1.1 1.1M11.1 11.1l1.1 1.1M3.8 12.2l1.1-1.1M11.1 4.9l1.1-1.1",
  link: "M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2-2a2.6 2.6 0 1 0-3.7-3.7l-.8.8M9.2 6.8a2.6 2.6 0 0 0-3.7 0l-2 2a2.6 2.6 0 1 0 3.7 3.7l.8-.8",
  warning: "M8 2.5 14 13H2zM8 6.5v3M8 11.2v.1",
  leave: "M6.5 3h-3v10h3M7 8h6m-2.2-2.4L13.2 8l-2.4 2.4",
  columns: "M2.5 3.5h11v9h-11zM6.2 3.5v9M9.8 3.5v9",
  download: "M8 2.5v7.2M4.8 6.8 8 10l3.2-3.2M3 13h10",
  expand: "M9.5 2.5h4v4M13.5 2.5 9 7M6.5 13.5h-4v-4M2.5 13.5 7 9",
  group: "M2.5 4h11M5 8h8.5M5 12h8.5M2.5 8v4",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  up: "M8 13V3M3.5 7.5 8 3l4.5 4.5",
  back: "m10 4-4 4 4 4",
  sum: "M12 3.5H4.5L8.5 8l-4 4.5H12",
} as const;

/** A drawing; decoration only: it needs a label beside it. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The mark of the program. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" />
      <path d="M8.5 10.5 14 16l-5.5 5.5" />
      <circle cx="21.5" cy="21" r="2.6" />
    </svg>
  );
}

/** A turning ring: something is in progress. */
export function Spinner() {
  return <span class="spinner" aria-hidden="true" />;
}
