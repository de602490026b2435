import type { LooseInput } from './calls.ts'

export type Kind = 'json' | 'bytes' | 'sse' | 'upload-evidence' | 'upload-part'

/** Method, path, and the kind of what is sent or answered where it is not JSON, by endpoint id. */
export type EndpointTable<Id extends PropertyKey = string> = { readonly [K in Id]: string }

export interface EndpointRow {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly kind: Kind
}

/** Throws a TypeError for an id that the table does not hold. */
export const endpointRow = (table: EndpointTable, id: string): EndpointRow => {
  const row = Object.hasOwn(table, id) ? table[id] : undefined
  const [method, path, kind = 'json'] = row?.split(' ') ?? []
  if (!method || !path) throw new TypeError(`there is no endpoint ${id}`)
  return { id, method, path, kind: kind as Kind }
}

/** What every request of one client carries. */
export interface Sender {
  /** The address of the service; a function is asked before each call. */
  readonly baseUrl: string | (() => string)
  /** Sent as a bearer credential; a function is asked before each call. */
  readonly token?: string | undefined | (() => string | undefined | Promise<string | undefined>)
  /** Names the program in the operator's logs. A page cannot set it. */
  readonly userAgent?: string | undefined
}

export interface Outgoing {
  readonly url: string
  readonly init: RequestInit & { readonly headers: Readonly<Record<string, string>> }
  readonly kind: Kind
  /** What a message about this request calls it. */
  readonly label: string
  /** Of its body, as far as that is known. */
  readonly sizeBytes: number
}

const fill = (row: EndpointRow, params: Readonly<Record<string, string>> = {}): string =>
  row.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = params[name]
    if (typeof value !== 'string' || value === '') throw new TypeError(`${row.id} needs params.${name}`)
    return encodeURIComponent(value)
  })

const queryText = (query: Readonly<Record<string, unknown>> = {}): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`
}

/** JSON whose characters all fit into a header. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

// In a page the header is the browser's own, and naming it would make every request ask for permission first.
const inPage = (): boolean => 'document' in globalThis || 'WorkerGlobalScope' in globalThis

export const commonHeaders = async ({ token, userAgent }: Sender, accept: string): Promise<Record<string, string>> => {
  const credential = typeof token === 'function' ? await token() : token
  return {
    accept,
    ...(credential ? { authorization: `Bearer ${credential}` } : {}),
    ...(userAgent && !inPage() ? { 'user-agent': userAgent } : {}),
  }
}

export const urlOf = (sender: Sender, row: EndpointRow, input: Pick<LooseInput, 'params' | 'query'>): string => {
  const base = typeof sender.baseUrl === 'function' ? sender.baseUrl() : sender.baseUrl
  return `${base.replace(/\/+$/, '')}${fill(row, input.params)}${queryText(input.query)}`
}

/** False for a body that can be read once only. */
export const isReplayable = ({ raw }: LooseInput): boolean => !(raw && 'getReader' in raw.bytes)

interface Content {
  readonly body?: BodyInit
  readonly headers: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly sizeBytes: number
}

const contentOf = (kind: Kind, { body, raw }: LooseInput): Content => {
  if (raw) {
    const { bytes, contentType, meta } = raw
    const sizeBytes = 'byteLength' in bytes ? bytes.byteLength : 'size' in bytes ? bytes.size : 0
    const type = { 'content-type': contentType }
    if (kind !== 'upload-part')
      return { body: bytes as BodyInit, headers: { ...type, 'x-service-evidence-meta': asciiJson(meta) }, sizeBytes }
    const headers = { ...type, 'x-service-part-sha256': String(meta['sha256']) }
    return { body: bytes as BodyInit, headers, query: { index: meta['index'] }, sizeBytes }
  }
  if (body === undefined) return { headers: {}, sizeBytes: 0 }
  const text = JSON.stringify(body)
  return { body: text, headers: { 'content-type': 'application/json' }, sizeBytes: text.length }
}

const lowerCase = (headers: LooseInput['headers'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** One request, which is the same however often it is sent. */
export const buildRequest = async (sender: Sender, row: EndpointRow, input: LooseInput): Promise<Outgoing> => {
  const { sizeBytes, ...content } = contentOf(row.kind, input)
  const init: RequestInit & { duplex?: 'half' } = { method: row.method, redirect: 'manual', cache: 'no-store' }
  if (content.body !== undefined) init.body = content.body
  if (!isReplayable(input)) init.duplex = 'half'
  return {
    url: urlOf(sender, row, { ...input, query: { ...input.query, ...content.query } }),
    init: {
      ...init,
      headers: {
        ...(await commonHeaders(sender, row.kind === 'bytes' ? '*/*' : 'application/json')),
        ...content.headers,
        ...lowerCase(input.headers),
        ...(input.idempotencyKey ? { 'idempotency-key': input.idempotencyKey } : {}),
      },
    },
    kind: row.kind,
    label: `${row.method} ${row.path}`,
    sizeBytes,
  }
}
