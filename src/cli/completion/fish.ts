// The completion script for fish.
import type { CommandWords, FlagWords, Place } from "./words.js";

const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, "\\$&").replaceAll(/\s+/g, " ")}'`;

/** What fish is given of a place: `-x` where nothing else may stand there, `-r` where a file may. */
function argumentsOf({ words, names, isList = false }: Place): string {
  if (isList) return ` -x -a '(__agentd_listed ${words.join(" ")})'`;
  // Conversations stay in their order, the newest first.
  const own = words.length > 0 ? ` ${words.join(" ")}` : "";
  if (names !== undefined) return `${names === "sessions" ? " -k" : ""} -x -a '(__agentd_names ${names})${own}'`;
  return words.length > 0 ? ` -x -a ${quoted(words.join(" "))}` : " -r";
}

function flagLine(name: string, { spellings, describe, takesValue, value }: FlagWords): string {
  const words = spellings.map((word) => (word.startsWith("--") ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`));
  return `complete -c agentd -n ${quoted(`__agentd_is ${name || "''"}`)} ${words.join(" ")}${takesValue ? argumentsOf(value) : ""} -d ${quoted(describe)}`;
}

function linesOf({ name, flags, places }: CommandWords): string[] {
  const known = places.flatMap((place, at) =>
    name === "" || (place.words.length === 0 && place.names === undefined)
      ? []
      : [`complete -c agentd -n ${quoted(`__agentd_at ${name} ${at + 1}`)}${argumentsOf(place)}`],
  );
  const nothing = places.length === 0 ? [`complete -c agentd -n ${quoted(`__agentd_is ${name}`)} -f`] : [];
  return [...nothing, ...known, ...flags.map((flag) => flagLine(name, flag))];
}

const FUNCTIONS = `# The command, then each of its words, one a line.
function __agentd_typed
    set -l words (commandline -opc)
    set -e words[1]
    set -l name ''
    set -l skip no
    for word in $words
        if test $skip = yes
            set skip no
        else if string match -q -- '-*' "$word"
            if contains -- "$name $word" $__agentd_taking
                set skip yes
            end
        else
            test -z "$name"; and set name "$word"
            echo "$word"
        end
    end
end

function __agentd_is
    set -l typed (__agentd_typed)
    test "$typed[1]" = "$argv[1]"
end

function __agentd_at
    set -l typed (__agentd_typed)
    test "$typed[1]" = "$argv[1]"; and test (count $typed) -eq $argv[2]
end

# Words that are separated by commas, each behind those that are typed, one a line.
function __agentd_listed
    set -l lead (string match -r '[^=]*,' -- (commandline -ct))
    for word in $argv
        string match -q -- "*,$word,*" ",$lead"; or echo "$lead$word"
    end
end

# Names of a kind that the data directory knows, one a line; behind a tab what it is.
function __agentd_names
    set -l options
    set -l words (commandline -opc)
    for i in (seq (count $words))
        switch "$words[$i]"
            case --data-dir
                set -l next (math $i + 1)
                test $next -le (count $words); and set options --data-dir (string replace -r '^~/' "$HOME/" -- "$words[$next]")
            case '--data-dir=*'
                set options (string replace -r '=~/' "=$HOME/" -- "$words[$i]")
        end
    end
    command agentd __complete $argv[1] $options 2>/dev/null </dev/null
end
`;

/** The script. */
export function fishScript(commands: readonly CommandWords[]): string {
  const taking = commands.flatMap(({ name, flags }) =>
    flags.filter(({ takesValue }) => takesValue).flatMap((flag) => flag.spellings.map((word) => `${name} ${word}`)),
  );
  const names = commands.flatMap(({ name, summary }) =>
    summary === "" ? [] : [`complete -c agentd -n ${quoted("__agentd_is ''")} -f -a ${name} -d ${quoted(summary)}`],
  );
  return [
    `# fish completion for agentd, made by "agentd completion fish".`,
    `set -g __agentd_taking ${taking.map(quoted).join(" ")}`,
    FUNCTIONS,
    ...names,
    ...commands.flatMap(linesOf),
    "",
  ].join("\n");
}
