import { type Command, commonOptions } from './command.ts'
import { UsageError } from './terminal.ts'

const optionsOf = ({ options, passesOn }: Command): string =>
  passesOn
    ? ''
    : Object.keys({ ...options, ...commonOptions })
        .map((name) => `--${name}`)
        .join(' ')

const bash = (commands: readonly Command[]): string => `_integrity() {
  local word=\${COMP_WORDS[COMP_CWORD]}
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "${[...commands.map(({ name }) => name), 'completion', 'help'].join(' ')}" -- "$word"))
    return
  fi
  case \${COMP_WORDS[1]} in
${commands.map((command) => `    ${command.name}) COMPREPLY=($(compgen -W "${optionsOf(command)}" -- "$word")) ;;`).join('\n')}
    completion) COMPREPLY=($(compgen -W "bash zsh" -- "$word")) ;;
  esac
}
complete -F _integrity integrity`

/** A script for `source <(integrity completion bash)`. Throws `UsageError` for a shell other than bash and zsh. */
export const completionOf = (shell: string, commands: readonly Command[]): string => {
  if (shell === 'bash') return bash(commands)
  if (shell === 'zsh') return `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`
  throw new UsageError('integrity completion bash, or integrity completion zsh')
}
