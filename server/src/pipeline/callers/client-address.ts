import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { remembering } from '../../platform/cache.ts'

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Longest chain of proxies that is looked at; a longer header is somebody's game. */
const maxHops = 20

/** Four decimal numbers, or IPv6; ipaddr.js also reads short, octal and hex forms, which nobody means here. */
const isWritten = (text: string): boolean => text.includes(':') || /^\d+\.\d+\.\d+\.\d+(\/\d+)?$/.test(text)

const parseNetwork = (text: string): Network => {
  if (!isWritten(text)) throw new TypeError('not an address')
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Whether a text is an address or a network in CIDR form. */
export const isNetwork = (text: string): boolean => {
  try {
    parseNetwork(text)
    return true
  } catch {
    return false
  }
}

const parseAddress = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined =>
  isWritten(text) && ipaddr.isValid(text) ? ipaddr.process(text) : undefined

/**
 * The name an address counts under: an IPv4 address by itself, a mapped one as IPv4, an IPv6 address by its /64, which is the
 * least that one household gets.
 */
const countedAs = (address: ipaddr.IPv4 | ipaddr.IPv6): string =>
  address.kind() === 'ipv4' ? address.toString() : prefixOf(address.toString(), 64)

const prefixOf = (address: string, bits: number): string =>
  `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}`

/** The /48 around the /64 of an IPv6 caller: what one customer of a hoster gets. */
export const wideNetworkOf = (counted: string): string | undefined =>
  counted.endsWith('/64') ? prefixOf(counted.slice(0, -3), 48) : undefined

/**
 * Whose request it is. Without trusted proxies, the peer of the connection. With them, the last address of
 * `X-Forwarded-For` that no trusted proxy has: what is before it was written by a stranger and says nothing.
 * An address is given as it is counted. `onForwarded` hears of each request that a proxy says it passes on, and whether that
 * proxy is trusted.
 */
export const createClientAddress = (
  trustedProxies: readonly string[],
  onForwarded: (isTrusted: boolean) => void = () => undefined,
) => {
  const networks = trustedProxies.map(parseNetwork)
  const isTrusted = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
    networks.some(([network, bits]) => network.kind() === address.kind() && address.match([network, bits] as never))
  // Most callers come again, and reading an address is a twentieth of a small request.
  const readPeer = remembering((text) => {
    // A link-local address carries the name of its interface.
    const address = parseAddress(text.replace(/%.*$/, ''))
    if (!address) return 'unknown'
    return isTrusted(address) ? { proxy: address } : countedAs(address)
  })
  return ({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string => {
    const peer = readPeer(socket.remoteAddress ?? '')
    if (headers['x-forwarded-for'] !== undefined) onForwarded(typeof peer !== 'string')
    if (typeof peer === 'string') return peer
    let address = peer.proxy
    const given = String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .slice(-maxHops)
    for (const text of given.reverse()) {
      const next = parseAddress(text.trim())
      // A trusted proxy has passed on what is no address: it is the last one that is known.
      if (!next) break
      address = next
      if (!isTrusted(next)) break
    }
    return countedAs(address)
  }
}
