/** Names that one construct of a file lists. */
export interface LiteralList {
  readonly form: 'array' | 'object' | 'union' | 'pattern'
  readonly line: number
  readonly names: readonly string[]
}

interface Part {
  readonly text: string
  readonly at: number
}

interface Open {
  readonly bracket: string
  readonly at: number
  readonly names: string[]
  /** A type says that the keys of this object, and of the objects in it, are all that there are. */
  readonly exhaustive: boolean
  /** What was read of the element so far. */
  element: string[]
}

const token =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|[A-Za-z_$][\w$]*|=>|[^\s\w$]/g
const ignored = /^(?:\/[/*]|`)/
/** `(a|b|c)` without blanks stands in a regular expression only: the formatter puts blanks into a union. */
const alternation = /\((?:\?:)?((?:[\w.]|\\\.)+(?:\|(?:[\w.]|\\\.)+){2,})\)/g

const isText = (part: string | undefined): part is string => part !== undefined && /^['"]/.test(part)
const bare = (name: string) => (isText(name) ? name.slice(1, -1) : name)

/**
 * Arrays of texts, unions of texts, keys of objects, and alternatives in regular expressions. An object whose type makes
 * the compiler demand every key (`: Record<…> =`, `satisfies Record<…>`) is none: a member that is missing there does not
 * compile. `Partial<Record<…>>` names some of them, and is one. Cases of a `switch` are none either.
 *
 * Read from the tokens alone, without a compiler.
 */
export const literalListsOf = (text: string): LiteralList[] => {
  const parts = [...text.matchAll(token)]
    .map((match) => ({ text: match[0], at: match.index }))
    .filter((part) => !ignored.test(part.text))
  const found = [...bracketed(parts), ...unions(parts), ...alternatives(text)]
  return found.map(({ form, at, names }) => ({ form, line: text.slice(0, at).split('\n').length, names }))
}

type Found = Omit<LiteralList, 'line'> & { at: number }

const bracketed = (parts: readonly Part[]): Found[] => {
  const found: Found[] = []
  const open: Open[] = []
  for (const [index, { text }] of parts.entries()) {
    const top = open.at(-1)
    if (/^[[{(]$/.test(text)) {
      top?.element.push(text)
      open.push(opened(parts, index, top))
    } else if (/^[\]})]$/.test(text)) {
      const closed = open.pop()
      if (!closed) continue
      endElement(closed)
      const { bracket, at: start, names } = closed
      if (bracket === '[') found.push({ form: 'array', at: start, names })
      if (bracket === '{' && !closed.exhaustive) found.push({ form: 'object', at: start, names })
    } else if (top && (text === ',' || text === ';')) endElement(top)
    else top?.element.push(text)
  }
  return found
}

/** An object in an object is as exhaustive as that: `Record<Platform, Record<Lane, …>>`. */
const opened = (parts: readonly Part[], index: number, top: Open | undefined): Open => {
  const { text: bracket, at } = parts[index]!
  const inherited = top?.bracket === '{' && top.exhaustive
  const exhaustive = bracket === '{' && (inherited || isAnnotated(parts, index) || isSatisfied(parts, index))
  return { bracket, at, names: [], exhaustive, element: [] }
}

/** An array's element counts when it is one text and nothing else; an object's when it begins with a key. */
const endElement = (list: Open): void => {
  const [first, second] = list.element
  const { length } = list.element
  list.element = []
  if (first === undefined) return
  if (list.bracket === '[' && length === 1 && isText(first)) list.names.push(bare(first))
  if (list.bracket === '{' && second === ':') list.names.push(bare(first))
}

/** Whether the type before the `=` of this object is a whole `Record`. */
const isAnnotated = (parts: readonly Part[], index: number): boolean => {
  if (parts[index - 1]?.text !== '=') return false
  const before = parts.slice(Math.max(0, index - 40), index - 1).map(({ text }) => text)
  const type = before.slice(before.lastIndexOf(':') + 1)
  return type.includes('Record') && !type.includes('Partial') && !type.includes('=')
}

/** Whether `satisfies Record<…>` follows the closing bracket, with or without `as const`. */
const isSatisfied = (parts: readonly Part[], index: number): boolean => {
  const after = parts.slice(closingOf(parts, index) + 1).slice(0, 12)
  const words = after.map(({ text }) => text).filter((text) => text !== 'as' && text !== 'const')
  return words[0] === 'satisfies' && words.slice(1, 4).includes('Record') && !words.slice(1, 4).includes('Partial')
}

const closingOf = (parts: readonly Part[], index: number): number => {
  let depth = 0
  for (let at = index; at < parts.length; at += 1) {
    if (/^[[{(]$/.test(parts[at]!.text)) depth += 1
    if (/^[\]})]$/.test(parts[at]!.text)) depth -= 1
    if (depth === 0) return at
  }
  return parts.length
}

/** `'a' | 'b' | 'c'`, also over lines. */
const unions = (parts: readonly Part[]): Found[] => {
  const found: Found[] = []
  let run: Part[] = []
  const end = () => {
    if (run.length > 1) found.push({ form: 'union', at: run[0]!.at, names: run.map(({ text }) => bare(text)) })
    run = []
  }
  for (const [index, part] of parts.entries()) {
    if (isText(part.text)) {
      if (parts[index - 1]?.text !== '|') end()
      run.push(part)
    } else if (part.text !== '|') end()
  }
  end()
  return found
}

const alternatives = (text: string): Found[] =>
  [...text.matchAll(alternation)].map((match) => ({
    form: 'pattern',
    at: match.index,
    names: match[1]!.split('|').map((name) => name.replaceAll('\\', '')),
  }))
