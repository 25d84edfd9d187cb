// Country names as the two-letter codes APIs want. The names come with the runtime (CLDR), not from a list of ours.

const ALIASES: Readonly<Record<string, string>> = {
  usa: "US",
  us: "US",
  "the united states": "US",
  "united states of america": "US",
  america: "US",
  uk: "GB",
  "great britain": "GB",
  britain: "GB",
  england: "GB",
  holland: "NL",
  "czech republic": "CZ",
};

let codes: Map<string, string> | undefined;

function load(): Map<string, string> {
  const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
  const found = new Map(Object.entries(ALIASES));
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  for (const first of letters)
    for (const second of letters) {
      const code = first + second;
      // Codes of countries that are no more name their successors.
      if (Intl.getCanonicalLocales(`und-${code}`)[0] !== `und-${code}`) continue;
      const name = names.of(code);
      if (name && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), code);
    }
  return found;
}

/** The ISO 3166 code of a country named in English; undefined for anything else. */
export function countryCode(name: string): string | undefined {
  codes ??= load();
  return codes.get(name.toLowerCase().replace(/^the /, "")) ?? codes.get(name.toLowerCase());
}
