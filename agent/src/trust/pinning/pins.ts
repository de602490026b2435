import { createHash, X509Certificate } from 'node:crypto'
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls'
import type { SecurityPolicyDocument } from '@integrity/protocol'

export type Pinning = SecurityPolicyDocument['pinning']

/**
 * `other_key` the server's certificate is not one that the policy names; `not_encrypted` a pinned host was to be
 * called over plain http.
 */
export type PinFault = 'other_key' | 'not_encrypted'

const messages: Readonly<Record<PinFault, (host: string) => string>> = {
  other_key: (host) =>
    `The connection to ${host} was not used, and nothing was sent: it does not show the certificate that was agreed for it. A network that inspects encrypted traffic (a company's, a school's, some security programs) looks like this. Please try another network, such as a phone's hotspot, or ask whoever invited you. What was recorded is kept on this computer.`,
  not_encrypted: (host) =>
    `The connection to ${host} was not used, and nothing was sent: the address begins with http, and this server is to be reached over https only. Please ask whoever invited you for the right address.`,
}

/** The server is not the one that the signed policy names. Thrown before anything of a request is sent. */
export class PinMismatch extends Error {
  override readonly name = 'PinMismatch'
  readonly code = 'PIN_MISMATCH'
  readonly host: string
  readonly fault: PinFault
  /** The keys that the server did show, leaf first, as the policy writes them; for a log. */
  readonly shown: readonly string[]

  constructor(host: string, fault: PinFault, shown: readonly string[] = []) {
    super(messages[fault](host))
    this.host = host
    this.fault = fault
    this.shown = shown
  }
}

/** The mismatch behind a failed request, however often it was wrapped. */
export const pinMismatchOf = (error: unknown): PinMismatch | undefined => {
  let inner = error
  for (let depth = 0; depth < 10 && inner instanceof Error; depth += 1) {
    if (inner instanceof PinMismatch) return inner
    inner = inner.cause
  }
  return undefined
}

/** SHA-256 of the SubjectPublicKeyInfo, base64 (RFC 7469, section 2.4). */
export const spkiSha256Of = ({ publicKey }: X509Certificate): string =>
  createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')

/** The pins in force for a host; undefined when it has none or pinning is lifted. */
export const pinsOf = (pinning: Pinning | undefined, hostname: string): readonly string[] | undefined => {
  if (!pinning?.enforced) return undefined
  const host = hostname
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[|\]$/g, '')
  const pins = pinning.pins.filter((pin) => pin.host === host).flatMap(({ spkiSha256 }) => spkiSha256)
  return pins.length === 0 ? undefined : pins
}

const maxChain = 10

/**
 * The peer's certificates, leaf first. Node follows them by their names alone, and a server may send along
 * certificates that are not its own: so a certificate counts only if it really signed the one before it.
 */
const chainOf = (socket: TLSSocket): X509Certificate[] => {
  const chain: X509Certificate[] = []
  let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true)
  while (next?.raw && chain.length < maxChain) {
    const certificate = new X509Certificate(next.raw)
    const issued = chain.at(-1)
    if (issued && !(issued.checkIssued(certificate) && issued.verify(certificate.publicKey))) break
    chain.push(certificate)
    next = next.issuerCertificate === next ? undefined : next.issuerCertificate
  }
  return chain
}

/**
 * Checks the peer of an established, verified TLS connection: its leaf or any certificate above it must have a pinned
 * key. Of a resumed TLS session Node gives no certificates, so it is refused. Throws PinMismatch.
 */
export const assertPinned = (socket: TLSSocket, host: string, pins: readonly string[]): void => {
  const shown = chainOf(socket).map(spkiSha256Of)
  if (!shown.some((key) => pins.includes(key))) throw new PinMismatch(host, 'other_key', shown)
}
