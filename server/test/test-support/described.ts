import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import * as z from 'zod'

/** What is written of a provider in `peers/<name>.openapi.json`, with where it comes from. */
export type Peer = 'ashby' | 'greenhouse' | 'lever' | 'razorpay' | 'slack' | 'stripe' | 'teams' | 'teamtailor'

interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}
interface Content {
  readonly [type: string]: { readonly schema: Schema; readonly example?: unknown }
}
interface Operation {
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'header' | 'path' | 'query'
    readonly required: boolean
    readonly schema: Schema
    /** No other one of the query is beside it. */
    readonly 'x-stands-alone'?: boolean
  }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

export interface AskedOfPeer {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const folder = join(import.meta.dirname, 'peers')
const parsers = new WeakMap<Schema, z.ZodType>()
const parserOf = (schema: Schema): z.ZodType => {
  const known = parsers.get(schema)
  if (known) return known
  const made = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0], { defaultTarget: 'openapi-3.0' })
  parsers.set(schema, made)
  return made
}
const problems = (where: string, schema: Schema, value: unknown): string[] =>
  (parserOf(schema).safeParse(value).error?.issues ?? []).map(
    ({ path, message }) => `${where} ${path.join('.')}: ${message}`,
  )

/** Texts as they stand in a query or a form, as what the schema says that they mean. */
const meant = (schema: Schema | undefined, value: unknown): unknown => {
  const one = schema?.anyOf?.[0] ?? schema
  if (typeof value === 'string') {
    if ((one?.type === 'integer' || one?.type === 'number') && /^-?\d+(\.\d+)?$/.test(value)) return Number(value)
    if (one?.type === 'boolean' && /^(true|false)$/.test(value)) return value === 'true'
    return value
  }
  if (typeof value !== 'object' || value === null) return value
  if (one?.type === 'array') return Object.values(value).map((item) => meant(one.items, item))
  const rest = typeof one?.additionalProperties === 'object' ? one.additionalProperties : undefined
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, meant(one?.properties?.[name] ?? rest, item)]),
  )
}

/** `a[b][0]=c` as an object. */
const unbracketed = (fields: URLSearchParams): Record<string, unknown> => {
  const found: Record<string, unknown> = {}
  for (const [name, value] of fields) {
    const keys = name.split(/\[|\]\[|\]/).filter((key, n) => n === 0 || key !== '')
    let at = found
    for (const key of keys.slice(0, -1)) {
      at[key] ??= {}
      at = at[key] as Record<string, unknown>
    }
    at[keys.at(-1) ?? name] = value
  }
  return found
}

const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replaceAll(/[.+]/g, '\\$&').replaceAll(/\{\w+\}/g, '([^/]+)')}$`)

/** A query's fields belong to one parameter each; brackets are either the name's own or those of an object. */
const queryProblems = ({ parameters }: Operation, query: URLSearchParams): string[] => {
  const known = parameters.filter((one) => one.in === 'query')
  const nested = unbracketed(query)
  const given = new Map<string, unknown>()
  const unknown: string[] = []
  for (const [name, value] of query) {
    const [outer = ''] = name.split('[')
    if (known.some((one) => one.name === name)) given.set(name, value)
    else if (known.some((one) => one.name === outer)) given.set(outer, nested[outer])
    else unknown.push(`query ${name}: unknown`)
  }
  for (const one of known) {
    if (!given.has(one.name)) {
      if (one.required) unknown.push(`query ${one.name}: missing`)
      continue
    }
    unknown.push(...problems(`query ${one.name}`, one.schema, meant(one.schema, given.get(one.name))))
    if (one['x-stands-alone'] && given.size > 1) unknown.push(`query ${one.name}: stands alone`)
  }
  return unknown
}

const bodyProblems = ({ requestBody }: Operation, { headers, body }: AskedOfPeer): string[] => {
  if (!requestBody) return body === '' ? [] : ['body: none is expected']
  const type = (headers['content-type'] ?? '').toLowerCase()
  const content = requestBody.content[type]
  if (!content) return [`content-type: ${type || 'none'} in place of ${Object.keys(requestBody.content).join(', ')}`]
  if (type.startsWith('application/x-www-form-urlencoded'))
    return problems('body', content.schema, meant(content.schema, unbracketed(new URLSearchParams(body))))
  try {
    return problems('body', content.schema, JSON.parse(body))
  } catch {
    return ['body: no JSON']
  }
}

const parameterProblems = ({ parameters }: Operation, values: readonly string[], headers: AskedOfPeer['headers']) => {
  const inPath = parameters.filter((one) => one.in === 'path')
  const ofPath = inPath.flatMap(({ name, schema }, n) =>
    problems(`path ${name}`, schema, decodeURIComponent(values[n] ?? '')),
  )
  const ofHeaders = parameters
    .filter((one) => one.in === 'header' && (one.required || headers[one.name] !== undefined))
    .flatMap(({ name, schema }) => problems(`header ${name}`, schema, headers[name]))
  return [...ofPath, ...ofHeaders]
}

/** Holds requests, and what a double answers, to a provider's own description. */
export const described = (peer: Peer) => {
  const { paths } = JSON.parse(readFileSync(join(folder, `${peer}.openapi.json`), 'utf8')) as Document
  const routes = Object.entries(paths).map(([path, verbs]) => ({ pattern: patternOf(path), verbs }))
  const find = ({ method, path }: Pick<AskedOfPeer, 'method' | 'path'>) => {
    for (const { pattern, verbs } of routes) {
      const match = pattern.exec(path)
      const operation = match && verbs[method.toLowerCase()]
      if (operation) return { operation, values: match.slice(1) }
    }
    return undefined
  }
  const success = (asked: Pick<AskedOfPeer, 'method' | 'path'>) => {
    const [status = '200', response] = Object.entries(find(asked)?.operation.responses ?? {})[0] ?? []
    return { status: Number(status), content: Object.entries(response?.content ?? {})[0] }
  }
  return {
    /** What is wrong with a request; nothing where it is as described. */
    wrongIn: (asked: AskedOfPeer): string[] => {
      const found = find(asked)
      if (!found) return [`${asked.method} ${asked.path}: not described`]
      const { operation, values } = found
      return [
        ...parameterProblems(operation, values, asked.headers),
        ...queryProblems(operation, asked.query),
        ...bodyProblems(operation, asked),
      ].map((problem) => `${asked.method} ${asked.path}: ${problem}`)
    },
    /** The status and type of a success, with the answer that is the description's own example. */
    example: (asked: Pick<AskedOfPeer, 'method' | 'path'>) => {
      const { status, content } = success(asked)
      return { status, type: content?.[0] ?? '', body: structuredClone(content?.[1].example) as never }
    },
    /** What is wrong with an answer that is a success. */
    wrongInAnswer: (asked: Pick<AskedOfPeer, 'method' | 'path'>, answer: unknown): string[] => {
      const schema = success(asked).content?.[1].schema
      const found = schema ? problems('answer', schema, answer) : []
      return found.map((problem) => `${asked.method} ${asked.path}: ${problem}`)
    },
  }
}
