import { ApiProblem, problemOf, type Refusal } from './api-problem.ts'

/** Method and path of the endpoints that a device calls, by id. */
export type EndpointTable<Id extends string> = Readonly<Record<Id, { readonly method: string; readonly path: string }>>

export interface CallOptions<Id extends string> {
  readonly endpoints: EndpointTable<Id>
  /** Where the service lives, without a slash at its end. */
  readonly baseUrl: () => string
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Told the `Date` of each answer, with when it was asked for and came, epoch milliseconds. */
  readonly onDate?: (date: string, askedAt: number, cameAt: number) => void
}

/** For a small request, milliseconds; one that carries bytes gets a second more for each 20 kB. */
const patienceMs = 20_000

export interface Sending {
  readonly token?: string
  readonly params: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly bytes?: ArrayBuffer
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

const initOf = (sending: Sending): { headers: Record<string, string>; body: string | ArrayBuffer | null } => {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (sending.token !== undefined) headers['authorization'] = `Bearer ${sending.token}`
  if (sending.bytes) headers['content-type'] = 'application/octet-stream'
  else if (sending.json !== undefined) headers['content-type'] = 'application/json'
  const body = sending.bytes ?? (sending.json === undefined ? null : JSON.stringify(sending.json))
  return { headers: { ...headers, ...sending.headers }, body }
}

/** One request and one answer of the service: its `data`. Throws `ApiProblem`; trying again is the caller's decision. */
export type Call<Id extends string> = (id: Id, sending: Sending) => Promise<unknown>

export const createCall =
  <Id extends string>(options: CallOptions<Id>): Call<Id> =>
  async (id, sending) => {
    const { method, path } = options.endpoints[id]
    const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(sending.params[name] ?? ''))
    const { headers, body } = initOf(sending)
    const size = typeof body === 'string' ? body.length : (body?.byteLength ?? 0)
    // Not AbortSignal.timeout, which React Native does not have.
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(), patienceMs + size / 20)
    const askedAt = Date.now()
    let response: Response
    let answer: { success?: boolean; data?: unknown; error?: Refusal } | undefined
    try {
      const url = `${options.baseUrl()}${filled}${sending.query ?? ''}`
      // A network that asks for a sign-in answers with a redirect or a page of its own: that is no answer of the service.
      const init = { method, headers, body, signal: stop.signal, redirect: 'error', cache: 'no-store' } as const
      response = await options.fetch(url, init)
      answer = (await response.json()) as typeof answer
    } catch (cause) {
      throw new ApiProblem('later', { cause })
    } finally {
      clearTimeout(timer)
    }
    const date = response.headers.get('date')
    if (date) options.onDate?.(date, askedAt, Date.now())
    if (response.ok && answer?.success === true) return answer.data
    if (answer?.success !== false) throw new ApiProblem('later')
    throw problemOf(response, answer.error ?? {})
  }
