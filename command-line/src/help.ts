import { type Command, commonOptions, type Option } from './command.ts'

/** Pairs in two columns. */
const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

export const overview = (commands: readonly Command[]): string => `integrity COMMAND [OPTION]...

${columns([...commands.map(({ name, summary }) => [name, summary] as const), ['completion SHELL', 'what makes bash or zsh complete these words']])}

BASE_URL and API_KEY name the service and the key; \`integrity COMMAND --help\` says more.
Ends with 0 when it is done, 1 when the service refused or could not be reached, 2 when an option or a setting is wrong.`

export const helpOf = ({ name, summary, takes, options }: Command): string =>
  `integrity ${[name, ...takes].join(' ')} [OPTION]...
${summary}

${columns(Object.entries<Option>({ ...options, ...commonOptions }).map(([option, { type, summary: text }]) => [`--${option}${type === 'string' ? ' VALUE' : ''}`, text] as const))}`
