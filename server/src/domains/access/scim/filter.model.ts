import { scimUrns } from '@integrity/protocol'
import { type ScimType, scimFault } from './faults.model.ts'

const comparisons = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Comparison = (typeof comparisons)[number]
export type FilterValue = string | number | boolean | null

/** A filter of RFC 7644, section 3.4.2.2. Paths are in lower case and without the URN of their own schema. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly of: Filter }
  | { readonly kind: 'compare'; readonly path: string; readonly test: Comparison; readonly value: FilterValue }
  | { readonly kind: 'present'; readonly path: string }
  | { readonly kind: 'within'; readonly path: string; readonly of: Filter }

/** So many comparisons, and so deep: each becomes a part of a statement. */
const maxTerms = 20
const maxDepth = 10

const tokenPattern = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/y

const tokensOf = (text: string, fault: ScimType): string[] => {
  const tokens: string[] = []
  tokenPattern.lastIndex = 0
  const whole = text.trimEnd()
  while (tokenPattern.lastIndex < whole.length) {
    const found = tokenPattern.exec(whole)
    if (!found) throw scimFault(fault, 'filter: there is a text without its end')
    tokens.push(found[1] ?? found[2] ?? found[3] ?? '')
  }
  return tokens
}

const own = [`${scimUrns.user}:`, `${scimUrns.group}:`].map((urn) => urn.toLowerCase())

/** An attribute's path as it is looked up. */
const plainPath = (path: string): string => {
  const lower = path.toLowerCase()
  const urn = own.find((prefix) => lower.startsWith(prefix))
  return urn ? lower.slice(urn.length) : lower
}

const literal = (token: string): FilterValue | undefined => {
  try {
    const value = JSON.parse(/^(true|false|null)$/i.test(token) ? token.toLowerCase() : token) as unknown
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as FilterValue
  } catch {
    // Not a literal: the caller says so.
  }
  return undefined
}

/** The words of a filter, one after the other. */
const readingOf = (tokens: readonly string[], fail: (message: string) => Error) => {
  let at = 0
  const next = (): string => {
    const token = tokens[at++]
    if (token === undefined) throw fail('it ends too early')
    return token
  }
  return {
    next,
    /** Passes the word when it comes next. */
    skip: (word: string): boolean => {
      const comes = tokens[at]?.toLowerCase() === word
      if (comes) at += 1
      return comes
    },
    expect: (word: string): void => {
      if (next() !== word) throw fail(`${word} is missing`)
    },
    /** What comes now, and is not passed. */
    rest: (): string | undefined => tokens[at],
  }
}

/** Reads a filter. Throws `invalidFilter`, or what the place it stands in is called. */
export const parseFilter = (text: string, fault: ScimType = 'invalidFilter'): Filter => {
  const fail = (message: string) => scimFault(fault, `filter: ${message}`)
  const { next, skip, expect, rest } = readingOf(tokensOf(text, fault), fail)
  let terms = 0

  const comparison = (path: string): Filter => {
    if (++terms > maxTerms) throw fail(`it has more than ${maxTerms} comparisons`)
    const word = next().toLowerCase()
    if (word === 'pr') return { kind: 'present', path }
    const test = comparisons.find((name) => name === word)
    if (!test) throw fail(`${word.slice(0, 40)} is no comparison`)
    const value = literal(next())
    if (value === undefined) throw fail('a value must be in quotes, or a number, true, false or null')
    return { kind: 'compare', path, test, value }
  }
  const term = (depth: number): Filter => {
    if (depth > maxDepth) throw fail(`it is nested more than ${maxDepth} deep`)
    if (skip('not')) {
      if (rest() !== '(') throw fail('( is missing')
      return { kind: 'not', of: term(depth + 1) }
    }
    if (skip('(')) {
      const inner = either(depth + 1)
      expect(')')
      return inner
    }
    const path = plainPath(next())
    if (!/^[a-z$][\w.:$-]*$/.test(path)) throw fail(`${path.slice(0, 40)} is no attribute`)
    if (!skip('[')) return comparison(path)
    const of = either(depth + 1)
    expect(']')
    return { kind: 'within', path, of }
  }
  const chain = (kind: 'and' | 'or', part: (depth: number) => Filter) => (depth: number) => {
    const parts = [part(depth)]
    while (skip(kind)) parts.push(part(depth))
    return parts.length === 1 ? parts[0]! : ({ kind, parts } as const)
  }
  const both = chain('and', term)
  const either = chain('or', both)

  const filter = either(0)
  const left = rest()
  if (left !== undefined) throw fail(`${left.slice(0, 40)} is too much`)
  return filter
}

const inWords = (value: unknown): string =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value as FilterValue).toLowerCase() : ''

const compare = (test: Comparison, found: unknown, value: FilterValue): boolean => {
  if (test === 'ne') return !compare('eq', found, value)
  if (typeof found === 'boolean' || typeof value === 'boolean')
    return test === 'eq' && inWords(found) === inWords(value)
  if (test === 'eq') return value === null ? found === undefined : inWords(found) === inWords(value)
  const [a, b] = [inWords(found), inWords(value)]
  if (test === 'co') return a.includes(b)
  if (test === 'sw') return a.startsWith(b)
  if (test === 'ew') return a.endsWith(b)
  if (test === 'gt') return a > b
  if (test === 'ge') return a >= b
  return test === 'lt' ? a < b : a <= b
}

/** Whether an element of a multi-valued attribute matches; for the paths of PATCH. */
export const matches = (filter: Filter, element: Readonly<Record<string, unknown>>): boolean => {
  const valueAt = (path: string) => Object.entries(element).find(([name]) => name.toLowerCase() === path)?.[1]
  if ('parts' in filter) {
    const one = (part: Filter) => matches(part, element)
    return filter.kind === 'and' ? filter.parts.every(one) : filter.parts.some(one)
  }
  if (filter.kind === 'not') return !matches(filter.of, element)
  if (filter.kind === 'compare') return compare(filter.test, valueAt(filter.path), filter.value)
  return filter.kind === 'present' && valueAt(filter.path) !== undefined
}
