// Names that are not taken by others in the same list.

/** Names of which none is there twice: a later one that is gets a number. */
export function distinctNames(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let n = 2; seen.has(own); n++) own = `${name} ${n}`;
    seen.add(own);
    return own;
  });
}
