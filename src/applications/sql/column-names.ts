// The names of the columns of a free query, as the members of a row.

/** Names for columns in order: a second column of the same name gets a number. */
export function columnNames(columns: readonly { name: string }[]): string[] {
  const taken = new Set<string>();
  return columns.map(({ name }) => {
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name}_${number}`;
    taken.add(free);
    return free;
  });
}
