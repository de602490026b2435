import type { buildConnector } from 'undici'
import { literalAddress, refusalOfAddress } from './address-rules.ts'
import { passOverInterim } from './interim-answers.ts'
import type { Lookup } from './lookup.ts'

type Connector = buildConnector.connector
type ConnectOptions = buildConnector.Options
type Socket = NonNullable<Parameters<buildConnector.Callback>[1]>

/** The guard refused the target. `reason` is safe to show: it never holds the address that was found. */
export class BlockedTarget extends Error {
  override readonly name = 'BlockedTarget'
  readonly code = 'BLOCKED_TARGET'
  readonly reason: string
  constructor(reason: string) {
    super(`target refused: ${reason}`)
    this.reason = reason
  }
}

/**
 * Every address of `hostname`, all of them allowed; throws BlockedTarget when even one is not, so that a name cannot
 * mix a public and a private address and hope for the second try.
 */
export const allowedAddresses = async (
  hostname: string,
  allowPrivate: boolean,
  lookup: Lookup,
): Promise<readonly string[]> => {
  const literal = literalAddress(hostname)
  const addresses = literal === undefined ? await lookup(hostname) : [literal]
  if (addresses.length === 0) throw Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' })
  for (const address of addresses) {
    const refusal = refusalOfAddress(address, allowPrivate)
    if (refusal !== undefined) throw new BlockedTarget(`the host is ${refusal}`)
  }
  return addresses
}

const dial = (base: Connector, options: ConnectOptions): Promise<Socket> =>
  new Promise((resolve, reject) => {
    base(options, (...[error, socket]) => (socket ? resolve(socket) : reject(error ?? new Error('no socket'))))
  })

/**
 * Wraps a connector so that a socket reaches undici only after three checks: the literal, every looked-up address,
 * and the peer the socket really has. The checked address itself is dialled, so no second lookup can differ.
 */
export const guardConnector = (base: Connector, allowPrivate: boolean, lookup: Lookup): Connector => {
  const connect = async (options: ConnectOptions): Promise<Socket> => {
    const addresses = await allowedAddresses(options.hostname, allowPrivate, lookup)
    const named = literalAddress(options.hostname) === undefined
    // TLS must still ask for and verify the name although the address is dialled.
    const servername = named && options.protocol === 'https:' ? options.servername || options.hostname : undefined
    let failure: unknown
    for (const address of addresses) {
      try {
        const socket = await dial(base, { ...options, hostname: address, servername })
        const refusal = refusalOfAddress(socket.remoteAddress ?? '', allowPrivate)
        if (refusal === undefined) return passOverInterim(socket)
        socket.on('error', () => undefined)
        socket.destroy()
        throw new BlockedTarget(`the peer is ${refusal}`)
      } catch (error) {
        if (error instanceof BlockedTarget) throw error
        failure = error
      }
    }
    throw failure
  }
  return (options, callback) => {
    connect(options).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    )
  }
}
