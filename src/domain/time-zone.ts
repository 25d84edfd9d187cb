// Time zones by their IANA names, and the time in one. Source: the IANA time zone database, as the runtime has it.

/** Longer names there are none. */
const MAX_NAME = 64;
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;

/** What a runtime calls a zone it could not find out. */
const UNKNOWN = "Etc/Unknown";

/** A format takes longer to make than all else of a small prompt; so many are kept, for zones that prompts name. */
const MAX_FORMATS = 16;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Throws RangeError for a name that the runtime does not know. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    weekday: "long",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "longOffset",
  });
  if (formats.size >= MAX_FORMATS) formats.clear();
  formats.set(timeZone, format);
  return format;
}

/** Whether this is the name of a time zone that the runtime knows. */
export function isTimeZone(name: string): boolean {
  if (name.length > MAX_NAME || !NAME.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Asked again after this long: a laptop travels. */
const OWN_MS = 60_000;
let own: { name: string; until: number } | undefined;

/** The zone of this machine, at most a minute old; UTC where the runtime does not know it. */
export function ownTimeZone(): string {
  const now = performance.now();
  if (!own || now > own.until) {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    own = { name: timeZone !== UNKNOWN && isTimeZone(timeZone) ? timeZone : "UTC", until: now + OWN_MS };
  }
  return own.name;
}

/** A moment as it is in one time zone. */
export interface LocalTime {
  /** Such as 2026-11-22. */
  date: string;
  /** Such as "Sunday, 2026-11-22 21:31 (Europe/Berlin, GMT+01:00)". */
  text: string;
  /** Such as Europe/Berlin. */
  timeZone: string;
}

const MINUTE_MS = 60_000;
/** The last answer: prompts of one minute, in one zone, have the same. */
let latest: { minute: number; timeZone: string; time: LocalTime } | undefined;

/** The moment in the zone of this name, to the minute. Throws RangeError for a name that isTimeZone refuses. */
export function localTime(at: Date, timeZone: string): LocalTime {
  const minute = Math.floor(at.getTime() / MINUTE_MS);
  if (latest?.minute === minute && latest.timeZone === timeZone) return latest.time;
  latest = { minute, timeZone, time: timeIn(at, timeZone) };
  return latest.time;
}

function timeIn(at: Date, timeZone: string): LocalTime {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const date = `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`;
  const zone = `${timeZone}, ${parts.get("timeZoneName")}`;
  return {
    date,
    text: `${parts.get("weekday")}, ${date} ${parts.get("hour")}:${parts.get("minute")} (${zone})`,
    timeZone,
  };
}

const PREFIX = "GMT";

/** How far a zone is from UTC at a moment, such as +01:00; Z where it is not. */
function offsetOf(at: number, timeZone: string): string {
  const name = formatOf(timeZone)
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName")?.value;
  const offset = name?.slice(PREFIX.length) ?? "";
  return offset === "" || offset === "+00:00" ? "Z" : offset;
}

/** A day and a time in a zone with the zone's distance from UTC then, such as 2026-11-22T21:31:00+01:00. */
export function zonedMoment(day: string, time: string, timeZone: string): string {
  const local = `${day}T${time}`;
  // The distance as if the time were that of UTC may be that of the hours before or behind a change of the clocks.
  const first = Date.parse(`${local}${offsetOf(Date.parse(`${local}Z`), timeZone)}`);
  return `${local}${offsetOf(first, timeZone)}`;
}
