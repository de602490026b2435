import type { LooseInput } from './calls.ts'
import type { EndpointTable, Kind } from './request.ts'

export interface EndpointRow {
  readonly method: string
  readonly path: string
  readonly kind: Kind
}

/** Throws a TypeError for an id that the table does not hold. */
export const endpointRow = (table: EndpointTable, id: string): EndpointRow => {
  const row = Object.hasOwn(table, id) ? table[id] : undefined
  const [method, path, kind = 'json'] = row?.split(' ') ?? []
  if (!method || !path) throw new TypeError(`there is no endpoint ${id}`)
  return { method, path, kind: kind as Kind }
}

const callable: ReadonlySet<string> = new Set<Kind>([
  'json',
  'bytes',
  'upload-evidence',
  'upload-part',
  'upload-frames',
])

/** Says what is wrong with a call that types could not hold back, before anything is sent: throws a TypeError. */
export const checkInput = (id: string, { path, kind }: EndpointRow, { params = {} }: LooseInput): void => {
  if (!callable.has(kind)) throw new TypeError(`${id} is no single call; for events there is streamEvents`)
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g))
    if (typeof params[name] !== 'string' || params[name] === '') throw new TypeError(`${id} needs params.${name}`)
}

export const lowerCase = (headers: LooseInput['headers'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** False for a body that can be read once only. */
export const isReplayable = ({ raw }: LooseInput): boolean => !(raw && 'getReader' in raw.bytes)
