import { connect, isIP, type Socket } from 'node:net'
import { type ConnectionOptions, checkServerIdentity, connect as connectTls, type PeerCertificate } from 'node:tls'
import ipaddr from 'ipaddr.js'
import { Client } from 'ldapts'
import { literalAddress } from '../http-out/address-rules.ts'
import { allowedAddresses } from '../http-out/guarded-connector.ts'
import type { Lookup } from '../http-out/lookup.ts'
import { LdapError } from './ldap-error.ts'

/** Where a directory is and how it is spoken to. */
export interface LdapAddress {
  /** `ldap://` or `ldaps://`, a host and perhaps a port. */
  readonly url: string
  readonly startTls: boolean
}

export interface Dialling {
  readonly allowPrivate: boolean
  readonly lookup: Lookup
  /** Certificates that are trusted beside the usual ones. */
  readonly ca?: string | undefined
  readonly limitMs: number
}

const isLoopback = (address: string): boolean => ipaddr.process(address).range() === 'loopback'

/** The address that is dialled, of those that the name has; every one of them must be allowed. */
const addressOf = async (host: string, { allowPrivate, lookup }: Dialling): Promise<string> => {
  const [address] = await allowedAddresses(host, allowPrivate, lookup)
  if (address === undefined) throw new LdapError('unreachable')
  return address
}

const readUrl = (text: string) => {
  const url = URL.parse(text)
  if (!url || !/^ldaps?:$/.test(url.protocol) || url.hostname === '') throw new LdapError('unreachable')
  // Not one of the schemes that the URL standard knows: names keep their capitals.
  const host = literalAddress(url.hostname) ?? url.hostname.toLowerCase()
  const isTls = url.protocol === 'ldaps:'
  return { host, isTls, port: Number(url.port || (isTls ? 636 : 389)) }
}

/**
 * A client of one connection, of the address that was checked, so that no second lookup can differ; TLS verifies the name that was
 * asked for, and nothing but loopback is spoken to in the clear. The library would connect again by itself, without StartTLS and
 * without its binds: it may not. `track` is handed the socket as soon as there is one.
 */
export const dial = async (
  { url, startTls }: LdapAddress,
  dialling: Dialling,
  track: (socket: Socket) => void,
): Promise<Client> => {
  const { host, isTls, port } = readUrl(url)
  const address = await addressOf(host, dialling)
  if (!isTls && !startTls && !isLoopback(address)) throw new LdapError('insecure')
  let isDialled = false
  const once = (make: () => Socket): Socket => {
    if (isDialled) throw new LdapError('unreachable')
    isDialled = true
    const socket = make()
    track(socket)
    return socket
  }
  const tls: ConnectionOptions = {
    ...(isIP(host) ? {} : { servername: host }),
    ...(dialling.ca === undefined ? {} : { ca: dialling.ca }),
    checkServerIdentity: (_name: string, certificate: PeerCertificate) => checkServerIdentity(host, certificate),
    minVersion: 'TLSv1.2',
  }
  const place = { host: address, port }
  const plain = () => once(() => connect(place))
  const secure = () => once(() => connectTls({ ...tls, ...place }))
  const client = new Client({
    url: `${isTls ? 'ldaps' : 'ldap'}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`,
    connectTimeout: dialling.limitMs,
    timeout: dialling.limitMs,
    strictDN: false,
    createConnection: plain as unknown as typeof connect,
    ...(isTls ? { createSecureConnection: secure as unknown as typeof connectTls } : {}),
  })
  if (startTls && !isTls) await client.startTLS(tls)
  return client
}
