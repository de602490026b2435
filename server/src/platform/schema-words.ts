import type * as z from 'zod'
import { nearestName } from './nearest-name.ts'

type Issue = z.core.$ZodIssue

/** What somebody is told of a value that does not fit. */
export interface Misfit {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** The message of an issue for which the schema has no words of its own. */
const unsaid = '\0'

/** How a schema is asked, so that `misfitsOf` can say what is wrong in words. Values that fit cost nothing by it. */
export const inWords = { error: () => unsaid, reportInput: true } as const

/** So many are worded; of a list of ten thousand wrong ones, nobody reads the others. */
const mostWorded = 100

/** So many values are listed beside the one that was most likely meant. */
const mostNamed = 40

const nouns: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
}
const nounOf = (expected: string): string => nouns[expected] ?? expected

const kindOf = (input: unknown): string => {
  if (input === null) return 'null'
  return Array.isArray(input) ? 'a list' : typeof input === 'boolean' ? String(input) : nounOf(typeof input)
}

const shown = (value: unknown): string => (typeof value === 'bigint' ? String(value) : JSON.stringify(value))

const oneOf = (values: readonly unknown[], input: unknown): string => {
  if (values.length === 1) return `must be ${shown(values[0])}`
  const names = values.filter((value) => typeof value === 'string')
  const meant = typeof input === 'string' ? nearestName(input, names) : undefined
  // Of so many nobody reads all to find the one.
  if (meant !== undefined && values.length > mostNamed)
    return `is none of the ${values.length} known names; did you mean ${meant}?`
  const all = `must be one of ${values.map((value) => (typeof value === 'string' ? value : shown(value))).join(', ')}`
  return meant === undefined ? all : `${all}; did you mean ${meant}?`
}

/** Characters of a text, items of a list; a number by itself. */
const amount = (origin: string, count: number | bigint): string => {
  const [one, many] = origin === 'string' ? ['character', 'characters'] : ['item', 'items']
  return `${count} ${Number(count) === 1 ? one : many}`
}
const isCount = (origin: string): boolean => ['string', 'array', 'set', 'map', 'object'].includes(origin)

const tooSmall = ({ origin, minimum, inclusive, exact }: z.core.$ZodIssueTooSmall): string => {
  if (!isCount(origin)) return inclusive === false ? `must be more than ${minimum}` : `must be ${minimum} or more`
  if (exact) return `must have exactly ${amount(origin, minimum)}`
  return Number(minimum) === 1 ? 'must not be empty' : `must have at least ${amount(origin, minimum)}`
}

const tooBig = ({ origin, maximum, inclusive, exact }: z.core.$ZodIssueTooBig): string => {
  if (!isCount(origin)) return inclusive === false ? `must be less than ${maximum}` : `must be ${maximum} or less`
  return `must have ${exact ? 'exactly' : 'at most'} ${amount(origin, maximum)}`
}

const forms: Readonly<Record<string, string>> = {
  datetime: 'an instant in ISO 8601 with its zone, such as 2026-05-04T09:30:00Z',
  date: 'a day in ISO 8601, such as 2026-05-04',
  time: 'a time of day, such as 09:30:00',
  duration: 'a duration in ISO 8601, such as PT30M',
  url: 'an address, such as https://example.org/path',
  email: 'an e-mail address, such as name@example.org',
  base64: 'base64 (RFC 4648, section 4)',
  base64url: 'base64url (RFC 4648, section 5)',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
}

const wrongForm = (issue: z.core.$ZodIssueInvalidStringFormat): string => {
  const { format, prefix, suffix, includes, pattern } = issue as typeof issue & Readonly<Record<string, unknown>>
  if (format === 'starts_with') return `must begin with ${shown(prefix)}`
  if (format === 'ends_with') return `must end with ${shown(suffix)}`
  if (format === 'includes') return `must contain ${shown(includes)}`
  if (format === 'regex') return `must match ${pattern}`
  return `must be ${forms[format] ?? `of the form ${format}`}`
}

const wordsOf = (issue: Exclude<Issue, z.core.$ZodIssueInvalidUnion>): string => {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'never') return 'must not be there'
      return `must be ${nounOf(issue.expected)}${issue.input === undefined ? '' : `, and is ${kindOf(issue.input)}`}`
    case 'invalid_value':
      return oneOf(issue.values, issue.input)
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'invalid_format':
      return wrongForm(issue)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `must not have ${issue.keys.slice(0, 10).map(shown).join(', ')}`
    case 'invalid_key':
      return `has a name that does not fit: ${misfitsOf(issue.issues)[0]?.message ?? 'it is not known'}`
    default:
      return 'is not valid'
  }
}

/** Of the alternatives the one that was most likely meant: the kind of value fits, and the least of it is wrong. */
const nearestOf = (branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined =>
  branches
    .filter((issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0))
    .toSorted((a, b) => a.length - b.length)[0]

const ofUnion = (issue: z.core.$ZodIssueInvalidUnion): Misfit[] => {
  const { path, errors, input } = issue
  const { options } = issue as { readonly options?: readonly unknown[] }
  if (options) {
    const name = String(path.at(-1))
    const given = (input as Readonly<Record<string, unknown>> | null)?.[name]
    return [{ path, message: given === undefined ? `is missing: it ${oneOf(options, given)}` : oneOf(options, given) }]
  }
  const nearest = nearestOf(errors)
  if (nearest) return misfitsOf(nearest).map((one) => ({ path: [...path, ...one.path], message: one.message }))
  const all = [...new Set(errors.flatMap((issues) => misfitsOf(issues)).map(({ message }) => message))]
  const kinds = all.map((message) => message.replace(/^(is missing: it )?must be /, '').replace(/, and is .*$/, ''))
  const words = kinds.length === 0 ? 'is not valid' : `must be ${kinds.join(', or ')}`
  return [{ path, message: input === undefined ? `is missing: it ${words}` : words }]
}

const misfitOf = (issue: Issue): Misfit[] => {
  const { path } = issue
  if (issue.message !== unsaid) return [{ path, message: issue.message }]
  if (issue.code === 'invalid_union') return ofUnion(issue)
  const words = wordsOf(issue)
  const isMissing = issue.input === undefined && ['invalid_type', 'invalid_value'].includes(issue.code)
  return [{ path, message: isMissing && words.startsWith('must be ') ? `is missing: it ${words}` : words }]
}

/** What does not fit of a value that was asked for with `inWords`: each says where, and what would be right. */
export const misfitsOf = (issues: readonly Issue[]): Misfit[] => issues.slice(0, mostWorded).flatMap(misfitOf)
