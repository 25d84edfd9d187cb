// The part of a completion script that bash and zsh read alike: which flags take a value, and what may stand in a place.
// Every word in it is one of the program's own; names are asked for when they are needed, and are data to both shells.
import type { CommandWords, Place } from "./words.js";

/** A word of the program's own for a shell. They are plain; one that is not is no word. */
const plain = (words: readonly string[]): string[] => words.filter((word) => /^[\w@%+:,./-]+$/.test(word));

const quoted = (keys: readonly string[]): string => keys.map((key) => `'${key}'`).join(" | ");

/** The command that prints what may stand in a place; undefined where nothing is known. */
function printing({ words, names, isList = false }: Place): string | undefined {
  if (isList) return `__agentd_listed "$2" ${plain(words).join(" ")}`;
  const own = words.length > 0 ? [`printf '%s\\n' ${plain(words).join(" ")}`] : [];
  const all = [...own, ...(names === undefined ? [] : [`__agentd_names ${names}`])];
  return all.length > 0 ? all.join("; ") : undefined;
}

/** Places by what may stand there: "history --status", "history @flags", "history @1". */
function placesOf({ name, flags, places }: CommandWords): [key: string, place: Place][] {
  const spellings: Place = { words: flags.flatMap((flag) => flag.spellings), names: undefined };
  return [
    [`${name} @flags`, spellings],
    // Where nothing but flags can stand, they are what is meant.
    ...(places.length > 0 ? places : [spellings]).map((place, at): [string, Place] => [`${name} @${at + 1}`, place]),
    ...flags.flatMap((flag) => flag.spellings.map((word): [string, Place] => [`${name} ${word}`, flag.value])),
  ];
}

/** The functions `__agentd_takes`, `__agentd_names`, `__agentd_listed` and `__agentd_words`; the last is given what is typed, too. */
export function posixWords(commands: readonly CommandWords[]): string {
  const taking = commands.flatMap(({ name, flags }) =>
    flags.filter(({ takesValue }) => takesValue).flatMap((flag) => flag.spellings.map((word) => `${name} ${word}`)),
  );
  const keys = new Map<string, string[]>();
  for (const [key, place] of commands.flatMap(placesOf)) {
    const command = printing(place);
    if (command !== undefined) keys.set(command, [...(keys.get(command) ?? []), key]);
  }
  const cases = [...keys].map(([command, those]) => `    ${quoted(those)}) ${command} ;;`);
  return `# Whether a flag of a command takes a value.
__agentd_takes() {
  case "$1 $2" in
    ${quoted(taking)}) return 0 ;;
  esac
  return 1
}

# Names of a kind that the data directory knows, one a line; behind a tab what it is.
__agentd_names() {
  command agentd __complete "$1" \${dir:+"--data-dir=\${dir/#\\~\\//$HOME/}"} 2>/dev/null </dev/null
}

# Words that are separated by commas, each behind those that are typed, one a line.
__agentd_listed() {
  local lead= word
  [[ $1 == *,* ]] && lead=\${1%,*},
  shift
  for word in "$@"; do
    [[ ,$lead == *,$word,* ]] || printf '%s\\n' "$lead$word"
  done
}

# What may stand in a place, one a line.
__agentd_words() {
  case "$1" in
${cases.join("\n")}
  esac
}
`;
}
