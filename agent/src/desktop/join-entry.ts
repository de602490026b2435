import { normaliseJoinCode } from '@integrity/protocol'
import type { Problem } from '../shared/ipc/window-state.ts'

/** What a candidate typed, pasted or opened, understood. `server` is an origin with its path, without a slash at the end. */
export interface ReadEntry {
  readonly joinCode: string
  readonly server: string | undefined
}

export type EntryResult = ({ readonly ok: true } & ReadEntry) | { readonly ok: false; readonly problem: Problem }

const linkScheme = 'integrity-agent:'
const longest = 2000

const refused = (code: Problem['code'], detail?: string): EntryResult => ({
  ok: false,
  problem: { code, ...(detail === undefined ? {} : { detail }) },
})

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)

/** The address of a service: https, but for this computer itself; no credentials, query or fragment. */
export const readServer = (typed: string): { ok: true; server: string } | { ok: false; problem: Problem } => {
  const text = typed.trim()
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  if (text === '' || text.length > longest || !URL.canParse(whole))
    return { ok: false, problem: { code: 'server_malformed' } }
  const { protocol, hostname, username, password, origin, pathname } = new URL(whole)
  if (protocol !== 'https:' && protocol !== 'http:') return { ok: false, problem: { code: 'server_malformed' } }
  if (username !== '' || password !== '') return { ok: false, problem: { code: 'server_malformed' } }
  if (protocol === 'http:' && !isLoopback(hostname)) return { ok: false, problem: { code: 'server_not_https' } }
  return { ok: true, server: `${origin}${pathname}`.replace(/\/+$/, '') }
}

const readLink = (link: string): EntryResult => {
  if (!URL.canParse(link)) return refused('link_not_ours')
  const { protocol, host, pathname, searchParams } = new URL(link)
  const action = host === '' ? pathname.replaceAll('/', '') : host
  if (protocol !== linkScheme || action !== 'join') return refused('link_not_ours')
  const code = searchParams.get('code') ?? ''
  const address = searchParams.get('server')
  const joinCode = normaliseJoinCode(code)
  if (joinCode === undefined) return refused('code_malformed')
  // A link decides where everything that is recorded goes: it has to say it plainly.
  if (address === null) return refused('server_malformed')
  const server = readServer(address)
  return server.ok ? { ok: true, joinCode, server: server.server } : server
}

/** Reads a code, forgiving case, blanks, dashes and look-alikes, or a whole `integrity-agent://join?code=…&server=…` link. */
export const readEntry = (typed: string, address?: string): EntryResult => {
  const text = typed.trim()
  if (text.length > longest) return refused('code_malformed')
  if (/^[a-z][a-z0-9+.-]*:\/{0,2}[^\s]/i.test(text)) return readLink(text)
  const joinCode = normaliseJoinCode(text)
  if (joinCode === undefined) return refused('code_malformed')
  if (address === undefined || address.trim() === '') return { ok: true, joinCode, server: undefined }
  const server = readServer(address)
  return server.ok ? { ok: true, joinCode, server: server.server } : server
}
