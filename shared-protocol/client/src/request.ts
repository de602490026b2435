import type { LooseInput } from './calls.ts'

export type Kind = 'json' | 'bytes' | 'sse' | 'upload-evidence' | 'upload-part' | 'upload-frames'

/** Method, path, and the kind of what is sent or answered where it is not JSON, by endpoint id. */
export type EndpointTable<Id extends PropertyKey = string> = { readonly [K in Id]: string }

/** What every request of one client carries. */
export interface Sender {
  /** The address of the service; a function is asked before each call. */
  readonly baseUrl: string | (() => string)
  /** Sent as a bearer credential; a function is asked before each call. */
  readonly token?: string | undefined | (() => string | undefined | Promise<string | undefined>)
  readonly headers?: Readonly<Record<string, string>>
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

const queryText = (query: Readonly<Record<string, unknown>>): string => {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(
    pairs.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
  return pairs.length === 0 ? '' : `?${text.toString()}`
}

/** JSON whose characters all fit into a header. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

export const urlOf = ({ baseUrl }: Sender, path: string, params: LooseInput['params'], query = {}): string => {
  const base = (typeof baseUrl === 'function' ? baseUrl() : baseUrl).replace(/\/+$/, '')
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params?.[name] ?? ''))
  return base + filled + queryText(query)
}

export const commonHeaders = async ({ token, headers }: Sender, accept: string): Promise<Record<string, string>> => {
  const credential = typeof token === 'function' ? await token() : token
  return { accept, ...headers, ...(credential ? { authorization: `Bearer ${credential}` } : {}) }
}

/** One request, which is the same however often it is sent. Header names are in lower case. */
export const buildRequest = async (sender: Sender, row: string, input: LooseInput): Promise<Outgoing> => {
  const [method = '', path = '', kind = 'json'] = row.split(' ')
  const { raw, params, idempotencyKey } = input
  const headers = await commonHeaders(sender, kind === 'bytes' ? '*/*' : 'application/json')
  const body = raw ? raw.bytes : input.body === undefined ? undefined : JSON.stringify(input.body)
  if (body !== undefined) headers['content-type'] = raw?.contentType ?? 'application/json'
  let query = input.query
  if (raw && kind === 'upload-part') {
    headers['x-service-part-sha256'] = String(raw.meta['sha256'])
    query = { ...query, index: raw.meta['index'] }
  } else if (raw && kind !== 'upload-frames') headers['x-service-evidence-meta'] = asciiJson(raw.meta)
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey
  Object.assign(headers, input.headers)
  const init: RequestInit & { duplex?: 'half' } = { method, headers, redirect: 'manual', cache: 'no-store' }
  if (body !== undefined) init.body = body as BodyInit
  // What a stream needs; anything else does not mind.
  if (raw) init.duplex = 'half'
  const { byteLength, size, length = 0 } = (body ?? {}) as { byteLength?: number; size?: number; length?: number }
  return {
    url: urlOf(sender, path, params, query),
    init: { ...init, headers },
    kind: kind as Kind,
    label: `${method} ${path}`,
    sizeBytes: byteLength ?? size ?? length,
  }
}
