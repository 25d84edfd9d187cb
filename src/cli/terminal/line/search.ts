// A search of the prompts typed before, from the newest back, as it is typed. Pure.
// Source: GNU Readline, "Searching for Commands in the History"

/** What is searched for, and what was found. */
export interface Search {
  query: string;
  /** Which prompt was found last; undefined while none was. */
  place: number | undefined;
  /** Whether no prompt, or no older one, has the query in it. */
  isFailed: boolean;
}

export const EMPTY_SEARCH: Search = { query: "", place: undefined, isFailed: false };

/** The newest prompt up to a place with the query in it, and with another text than one that was found. */
function find(prompts: readonly string[], query: string, { from, but }: { from: number; but?: string | undefined }) {
  const wanted = query.toLowerCase();
  for (let place = from; place >= 0; place--) {
    const prompt = prompts[place] ?? "";
    if (prompt !== but && prompt.toLowerCase().includes(wanted)) return place;
  }
  return undefined;
}

/** The search for another text: one that goes on stays where it is, another begins with the newest prompt. */
export function searchPrompts(prompts: readonly string[], before: Search, query: string): Search {
  if (query === "") return EMPTY_SEARCH;
  const newest = prompts.length - 1;
  const from = query.startsWith(before.query) ? (before.place ?? newest) : newest;
  const place = find(prompts, query, { from });
  return { query, place: place ?? before.place, isFailed: place === undefined };
}

/** The next older prompt with the same text in it. */
export function searchOlder(prompts: readonly string[], { query, place }: Search): Search {
  if (query === "") return EMPTY_SEARCH;
  const older = find(prompts, query, {
    from: (place ?? prompts.length) - 1,
    but: place === undefined ? undefined : prompts[place],
  });
  return { query, place: older ?? place, isFailed: older === undefined };
}
