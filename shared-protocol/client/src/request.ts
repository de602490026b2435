import type { LooseInput } from './calls.ts'
import { endpointTable } from './generated/endpoint-table.ts'
import { randomHex } from './runtime.ts'

export type Kind = 'json' | 'bytes' | 'sse' | 'upload-evidence' | 'upload-part'

export interface EndpointRow {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly kind: Kind
}

/** Throws a TypeError for an id that this version of the library does not know. */
export const endpointRow = (id: string): EndpointRow => {
  const row = Object.hasOwn(endpointTable, id) ? endpointTable[id] : undefined
  const [method, path, kind = 'json'] = row?.split(' ') ?? []
  if (!method || !path) throw new TypeError(`there is no endpoint ${id}`)
  return { id, method, path, kind: kind as Kind }
}

/** What every request of one client carries. */
export interface Sender {
  readonly baseUrl: string
  readonly apiKey: string | (() => string | Promise<string>) | undefined
  readonly userAgent: string | undefined
}

export interface Outgoing {
  readonly url: string
  readonly init: RequestInit & { readonly headers: Readonly<Record<string, string>> }
  readonly kind: Kind
  /** What a message about this request calls it. */
  readonly label: string
  /** May be sent again when the answer is lost: a read, or a write that has one effect however often it is sent. */
  readonly safe: boolean
}

const fill = (row: EndpointRow, params: Readonly<Record<string, string>> = {}): string =>
  row.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = params[name]
    if (typeof value !== 'string' || value === '') throw new TypeError(`${row.id} needs params.${name}`)
    return encodeURIComponent(value)
  })

const queryText = (query: Readonly<Record<string, unknown>> = {}): string => {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`
}

/** JSON whose characters all fit into a header. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

// In a page the header is the browser's own, and naming it would make every request ask for permission first.
const inPage = (): boolean => 'document' in globalThis || 'WorkerGlobalScope' in globalThis

export const commonHeaders = async (sender: Sender, accept: string): Promise<Record<string, string>> => {
  const key = typeof sender.apiKey === 'function' ? await sender.apiKey() : sender.apiKey
  return {
    accept,
    ...(key ? { authorization: `Bearer ${key}` } : {}),
    ...(sender.userAgent && !inPage() ? { 'user-agent': sender.userAgent } : {}),
  }
}

export const urlOf = (sender: Sender, row: EndpointRow, input: Pick<LooseInput, 'params' | 'query'>): string =>
  `${sender.baseUrl.replace(/\/+$/, '')}${fill(row, input.params)}${queryText(input.query)}`

interface Content {
  readonly body?: BodyInit
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly replayable: boolean
}

const contentOf = (kind: Kind, { body, raw }: LooseInput): Content => {
  if (raw) {
    const { bytes, contentType, meta } = raw
    const beside: Pick<Content, 'headers' | 'query'> =
      kind === 'upload-part'
        ? { headers: { 'x-service-part-sha256': String(meta['sha256']) }, query: { index: meta['index'] } }
        : { headers: { 'x-service-evidence-meta': asciiJson(meta) }, query: {} }
    return {
      body: bytes as BodyInit,
      headers: { 'content-type': contentType, ...beside.headers },
      query: beside.query,
      replayable: !(bytes instanceof ReadableStream),
    }
  }
  if (body === undefined) return { headers: {}, query: {}, replayable: true }
  const headers = { 'content-type': 'application/json' }
  return { body: JSON.stringify(body), headers, query: {}, replayable: true }
}

const lowerCase = (headers: LooseInput['headers'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** One request, which is sent as it is however often: its key is made here, once. */
export const buildRequest = async (sender: Sender, row: EndpointRow, input: LooseInput): Promise<Outgoing> => {
  const content = contentOf(row.kind, input)
  const isRead = row.method === 'GET'
  const given = lowerCase(input.headers)
  const own = input.idempotencyKey ?? given['idempotency-key']
  const key = isRead || input.repeatable ? undefined : (own ?? `auto-${randomHex(16)}`)
  const init: RequestInit & { duplex?: 'half' } = { method: row.method, redirect: 'manual' }
  if (content.body !== undefined) init.body = content.body
  if (!content.replayable) init.duplex = 'half'
  return {
    url: urlOf(sender, row, { ...input, query: { ...input.query, ...content.query } }),
    init: {
      ...init,
      headers: {
        ...(await commonHeaders(sender, row.kind === 'bytes' ? '*/*' : 'application/json')),
        ...content.headers,
        ...given,
        ...(key ? { 'idempotency-key': key } : {}),
      },
    },
    kind: row.kind,
    label: `${row.method} ${row.path}`,
    safe: content.replayable && (isRead || input.repeatable === true || Boolean(key)),
  }
}
