// The completion script for bash, 3.2 and later. Candidates are compared and quoted, and never expanded: `compgen -W` would run what
// a name has in it.
import { posixWords } from "./posix-words.js";
import type { CommandWords } from "./words.js";

const FUNCTION = `_agentd() {
  local IFS=$' \\t\\n' cur=\${COMP_WORDS[COMP_CWORD]} name= before= dir= ended= at=0 i=1 word last=$COMP_CWORD lead=
  COMPREPLY=()
  # bash makes a word of its own of ":", which model names have in them: only what stands behind the last one is replaced.
  while ((last > 1)) && [[ \${COMP_WORDS[last]} == : || \${COMP_WORDS[last - 1]} == : ]]; do
    last=$((last - 1))
    lead=\${COMP_WORDS[last]}$lead
  done
  [[ $cur == : ]] && lead=$lead: cur=
  while ((i < last)); do
    word=\${COMP_WORDS[i]}
    i=$((i + 1))
    if [[ -z $ended && $word == -- ]]; then
      ended=yes
    elif [[ -z $ended && $word == -* ]]; then
      __agentd_takes "$name" "$word" || continue
      # bash makes a word of its own of "=".
      [[ \${COMP_WORDS[i]-} == "=" ]] && i=$((i + 1))
      if ((i < last)); then
        [[ $word == --data-dir ]] && dir=\${COMP_WORDS[i]}
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
  [[ $cur == "=" ]] && cur=
  if [[ -z $before && -z $ended && $cur == -* ]]; then
    before=@flags
  elif [[ -z $before ]]; then
    before=@$((at + 1))
  fi
  while IFS= read -r word; do
    word=\${word%%$'\\t'*}
    [[ $word == "$lead$cur"* ]] && COMPREPLY+=("$(printf %q "\${word#"$lead"}")")
  done < <(__agentd_words "$name $before" "$lead$cur")
}

complete -o default -F _agentd agentd
`;

/** The script. */
export function bashScript(commands: readonly CommandWords[]): string {
  return `# bash completion for agentd, made by "agentd completion bash".\n\n${posixWords(commands)}\n${FUNCTION}`;
}
