import { isUtf8 } from 'node:buffer'
import {
  type CredentialKind,
  type EndpointSpec,
  type ErrorDetail,
  refusesUnknown,
  ServiceError,
  sessionCredentialKinds,
} from '@integrity/protocol'
import * as z from 'zod'
import { inWords, misfitsOf } from '../../platform/schema-words.ts'
import { halvesIn } from '../../platform/surrogates.ts'
import type { ReceivedBody } from './body.ts'
import { unknownNames } from './unknown-names.ts'

const details = (issues: readonly z.core.$ZodIssue[]): ErrorDetail[] =>
  misfitsOf(issues).map(({ path, message }) => ({ path: path.map(String).join('.'), message }))

/** What is said of the whole body has it as its subject. */
const ofBody = ({ path, message }: ErrorDetail): ErrorDetail => ({
  path,
  message: path === '' && /^(must|is|has) /.test(message) ? `the body ${message}` : message,
})

const refuse = (problems: readonly ErrorDetail[]): never => {
  const [first] = problems
  const more = problems.length > 1 ? ` (and ${problems.length > 99 ? 'at least 99' : problems.length - 1} more)` : ''
  const text = first ? `${first.path ? `${first.path}: ` : ''}${first.message}${more}` : 'the request is not valid'
  throw new ServiceError('invalid_request', text, { details: problems.slice(0, 100) })
}

export interface CheckedInput {
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: unknown
  readonly bytes: Buffer | undefined
  readonly bytesHash: ReceivedBody['bytesHash']
}

/** A repeated name is refused, because nothing says which value counts. */
export const readQuery = (search: string): Record<string, string> => {
  const query: Record<string, string> = {}
  if (search === '') return query
  // It would be read as U+FFFD, as which two different values are one.
  for (const [bytes] of search.matchAll(/(?:%[89a-f][0-9a-f])+/gi))
    if (!isUtf8(Buffer.from(bytes.replaceAll('%', ''), 'hex')))
      refuse([{ path: '', message: 'the query is not UTF-8' }])
  for (const [name, value] of new URLSearchParams(search)) {
    if (Object.hasOwn(query, name)) refuse([{ path: name, message: 'is given more than once' }])
    // Postgres has no text with U+0000.
    if (value.includes('\0')) refuse([{ path: name, message: 'must not contain the character U+0000' }])
    query[name] = value
  }
  return query
}

const isNumber = (schema: unknown): boolean => {
  let inner = schema
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodOptional) inner = inner.unwrap()
  return inner instanceof z.ZodNumber
}

const numbersOf = new WeakMap<z.core.$ZodObject, readonly string[]>()
const numberNames = (query: z.core.$ZodObject): readonly string[] => {
  const known = numbersOf.get(query)
  if (known) return known
  const names = Object.entries(query._zod.def.shape).flatMap(([name, schema]) => (isNumber(schema) ? [name] : []))
  numbersOf.set(query, names)
  return names
}

/** Coercion alone would read an empty value as 0, and take `1e2`, `0x10` and blanks. */
const wrongNumbers = (query: z.core.$ZodObject, values: Readonly<Record<string, string>>): ErrorDetail[] =>
  numberNames(query).flatMap((name) => {
    const text = values[name]
    if (text === undefined || /^-?\d+(\.\d+)?$/.test(text)) return []
    return [{ path: name, message: 'must be a number in decimal digits' }]
  })

const nothing = z.object({})

/** An unescaped plus sign is a blank in a query: a time zone loses its sign by that. */
const withHint = (problem: ErrorDetail, value: string | undefined): ErrorDetail =>
  /^\d{4}-.*\d \d{2}:?\d{2}$/.test(value ?? '')
    ? { ...problem, message: `${problem.message}: a plus sign in a query is read as a blank, write it as %2B` }
    : problem

/** Devices send what other programs show, cut where it was cut: one title must not cost a whole batch. */
const takesHalves: ReadonlySet<CredentialKind> = new Set(sessionCredentialKinds)

/** Checks everything at once and lists every problem with its path. */
export const checkInput = (
  endpoint: EndpointSpec,
  caller: CredentialKind,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>,
  body: ReceivedBody,
): CheckedInput => {
  const problems: ErrorDetail[] = []
  for (const [name, value] of Object.entries(params))
    if (value.length > 128 || /\p{Cc}/u.test(value)) problems.push({ path: name, message: 'is not an id' })
  const misread = endpoint.query ? wrongNumbers(endpoint.query, query) : []
  problems.push(...misread)
  const parsedQuery = endpoint.query && z.safeParse(endpoint.query, query, inWords)
  if (parsedQuery && !parsedQuery.success) {
    const found = details(parsedQuery.error.issues).map((problem) => withHint(problem, query[problem.path]))
    problems.push(...found.filter(({ path }) => !misread.some((problem) => problem.path === path)))
  }
  const schema = endpoint.upload?.meta ?? endpoint.body
  if (!takesHalves.has(caller) && !endpoint.ignoresUnknown)
    for (const path of halvesIn(body.value))
      problems.push({ path, message: 'holds half a surrogate pair, which is no text' })
  const parsedBody = schema && z.safeParse(schema, body.value, inWords)
  if (parsedBody && !parsedBody.success) problems.push(...details(parsedBody.error.issues).map(ofBody))
  if (refusesUnknown(endpoint, caller)) {
    problems.push(...unknownNames(endpoint.query ?? nothing, query))
    if (schema) problems.push(...unknownNames(schema, body.value))
  }
  if (problems.length > 0) refuse(problems)
  const { bytes, bytesHash } = body
  return { params, query: parsedQuery?.data ?? {}, body: parsedBody?.data ?? {}, bytes, bytesHash }
}

/**
 * How strictly answers are checked: `strict` also refuses fields that are not declared (tests), `declared` checks each
 * (development), `sampled` the first hundred of an endpoint and every fiftieth from then on (production: checking each
 * took 7 % of a small read).
 */
export type AnswerCheck = 'strict' | 'declared' | 'sampled'

const answered = new WeakMap<EndpointSpec, number>()
const isSampled = (endpoint: EndpointSpec): boolean => {
  const count = answered.get(endpoint) ?? 0
  answered.set(endpoint, count + 1)
  return count < 100 || count % 50 === 0
}

const undeclared = (sent: unknown, kept: unknown, path: string): string | undefined => {
  if (Array.isArray(sent) && Array.isArray(kept)) {
    for (const [index, value] of sent.entries()) {
      const found = undeclared(value, kept[index], `${path}.${index}`)
      if (found) return found
    }
    return undefined
  }
  if (typeof sent !== 'object' || sent === null || typeof kept !== 'object' || kept === null) return undefined
  for (const [name, value] of Object.entries(sent)) {
    if (value === undefined) continue
    if (!(name in kept)) return `${path}.${name}`
    const found = undeclared(value, (kept as Record<string, unknown>)[name], `${path}.${name}`)
    if (found) return found
  }
  return undefined
}

/** Holds an answer to its declaration. A difference is our own fault: an internal error, with the path in the log. */
export const checkAnswer = (endpoint: EndpointSpec, data: unknown, strictness: AnswerCheck): void => {
  if (endpoint.kind === 'bytes' || endpoint.kind === 'sse') return
  if (strictness === 'sampled' && !isSampled(endpoint)) return
  const parsed = z.safeParse(endpoint.response, data)
  const problem = parsed.success
    ? strictness === 'strict' && undeclared(data, parsed.data, 'data')
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
  if (problem) throw new Error(`the answer of ${endpoint.id} is not what it declares: ${problem}`)
}
