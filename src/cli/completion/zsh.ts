// The completion script for zsh: for a file _agentd on the function path, or to be read after compinit.
import { posixWords } from "./posix-words.js";
import type { CommandWords } from "./words.js";

const FUNCTION = `_agentd() {
  local name= before= dir= ended= at=0 i=2 word
  local tab=$'\\t'
  local -a found shown
  while ((i < CURRENT)); do
    word=\${(Q)words[i]}
    i=$((i + 1))
    if [[ -z $ended && $word == -- ]]; then
      ended=yes
    elif [[ -z $ended && $word == --*=* ]]; then
      [[ $word == --data-dir=* ]] && dir=\${word#*=}
    elif [[ -z $ended && $word == -* ]]; then
      __agentd_takes "$name" "$word" || continue
      if ((i < CURRENT)); then
        [[ $word == --data-dir ]] && dir=\${(Q)words[i]}
        i=$((i + 1))
      else
        before=$word
      fi
    elif [[ -z $name ]]; then
      name=$word
    else
      at=$((at + 1))
    fi
  done
  if [[ -z $before && -z $ended && $PREFIX == --*=* ]]; then
    before=\${PREFIX%%=*}
    compset -P '*='
  elif [[ -z $before && -z $ended && $PREFIX == -* ]]; then
    before=@flags
  elif [[ -z $before ]]; then
    before=@$((at + 1))
  fi
  found=("\${(@f)$(__agentd_words "$name $before" "$PREFIX")}")
  found=(\${found:#})
  # What stands behind a tab is shown beside the name.
  shown=(\${found//$tab/  -- })
  found=(\${found%%$tab*})
  if [[ "$shown" != "$found" ]]; then
    compadd -V agentd -l -d shown -a -- found
  elif (($#found)); then
    compadd -a -- found
  else
    _files
  fi
}

if [[ $funcstack[1] == _agentd ]]; then
  _agentd "$@"
else
  compdef _agentd agentd
fi
`;

/** The script. */
export function zshScript(commands: readonly CommandWords[]): string {
  return `#compdef agentd\n# zsh completion for agentd, made by "agentd completion zsh".\n\n${posixWords(commands)}\n${FUNCTION}`;
}
