const spaces = (depth: number, unit: string): string => unit.repeat(depth)

interface Dialect {
  readonly unit: string
  readonly word: (value: boolean | null) => string
  readonly text: (value: string) => string
  readonly key: (name: string) => string
  /** The least length beyond which an object is broken into lines. */
  readonly width: number
}

const print = (value: unknown, dialect: Dialect, depth: number): string => {
  if (typeof value === 'string') return dialect.text(value)
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean' || value === null || value === undefined) return dialect.word(value ?? null)
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((item) => print(item, dialect, depth + 1))
    : Object.entries(value).map(([name, item]) => `${dialect.key(name)}: ${print(item, dialect, depth + 1)}`)
  if (parts.length === 0) return isList ? '[]' : '{}'
  const pad = !isList && dialect === typescript ? ' ' : ''
  const line = isList ? `[${parts.join(', ')}]` : `{${pad}${parts.join(', ')}${pad}}`
  if (!line.includes('\n') && line.length <= dialect.width) return line
  const inner = parts.map((part) => `${spaces(depth + 1, dialect.unit)}${part},\n`).join('')
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  return `${open}\n${inner}${spaces(depth, dialect.unit)}${close}`
}

const json = (value: unknown): string => JSON.stringify(value)
const single = (value: string): string => `'${json(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const typescript: Dialect = {
  unit: '  ',
  word: String,
  text: single,
  key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : single(name)),
  width: 60,
}
// Every JSON string is a string of Python, too, as both spell what they escape alike.
const python: Dialect = {
  unit: '    ',
  word: (value) => (value === null ? 'None' : value ? 'True' : 'False'),
  text: json,
  key: json,
  width: 60,
}

export const typescriptLiteral = (value: unknown, depth = 0): string => print(value, typescript, depth)
export const pythonLiteral = (value: unknown, depth = 0): string => print(value, python, depth)
