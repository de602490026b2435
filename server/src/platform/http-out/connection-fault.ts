import { BlockedTarget } from './guarded-connector.ts'

/** What a connection failed at: the name, the network, the certificate, the answer, or a rule of ours. */
export type FaultKind = 'name' | 'unreachable' | 'tls' | 'closed' | 'malformed' | 'slow' | 'blocked' | 'unknown'

export interface ConnectionFault {
  readonly kind: FaultKind
  /** As Node, c-ares, OpenSSL or the HTTP library call it, for example `ENOTFOUND`. Holds no address. */
  readonly code: string
  /** The cause in words that go behind a colon. They hold no address and no part of an answer. */
  readonly words: string
}

type Row = readonly [RegExp, FaultKind, string]

const names: readonly Row[] = [
  [/^(ENOTFOUND|ENODATA|EBADNAME|EAI_NONAME|ENONAME|EAI_NODATA)$/, 'name', 'DNS knows no address of the host'],
  [/^(EAI_AGAIN|ESERVFAIL|EREFUSED|EAI_FAIL|ENOTIMP|EBADRESP)$/, 'name', "the host's name servers did not answer"],
]
const certificates: readonly Row[] = [
  [/^CERT_HAS_EXPIRED$/, 'tls', 'the certificate of the host has expired'],
  [/^CERT_NOT_YET_VALID$/, 'tls', 'the certificate of the host is not valid yet'],
  [/^CERT_REVOKED$/, 'tls', 'the certificate of the host was revoked'],
  [/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, 'tls', 'the certificate was issued for another name'],
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, 'tls', 'the certificate of the host is self-signed'],
  [/^SELF_SIGNED_CERT_IN_CHAIN$/, 'tls', 'the certificate was issued by an authority that is not trusted here'],
  [
    /^UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/,
    'tls',
    "the certificate's issuer is not known: the host probably does not send its intermediate certificate",
  ],
  [/^(CERT_|UNABLE_TO_|INVALID_|ERROR_IN_|ERR_TLS_CERT)/, 'tls', 'the certificate of the host is not valid'],
]
const handshakes: readonly Row[] = [
  [
    /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNKNOWN_PROTOCOL|RECORD_LAYER_FAILURE)$/,
    'tls',
    'the host does not speak TLS on this port',
  ],
  [
    /^(ERR_SSL_.*(PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW)|ERR_TLS_PROTOCOL)/,
    'tls',
    'the host offers no version of TLS that is still safe (1.2 or 1.3)',
  ],
  [/^(ERR_SSL_|ERR_TLS_|EPROTO$)/, 'tls', 'the TLS handshake with the host failed'],
]
const connections: readonly Row[] = [
  [/^ECONNREFUSED$/, 'unreachable', 'the host refuses connections on this port'],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|EADDRNOTAVAIL)$/, 'unreachable', 'no network route leads to the host'],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'slow', 'the host did not accept a connection in time'],
  [/^(UND_ERR_HEADERS_TIMEOUT|DEADLINE|TimeoutError)$/, 'slow', 'the host did not answer in time'],
  [/^UND_ERR_BODY_TIMEOUT$/, 'slow', 'the answer stopped before its end'],
  [
    /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/,
    'closed',
    'the host closed the connection before its answer ended',
  ],
  [
    /^(HTTPParserError$|HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES)/,
    'malformed',
    'the answer of the host is not valid HTTP',
  ],
]
const rows: readonly Row[] = [...names, ...certificates, ...handshakes, ...connections]

const codeOf = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'UNKNOWN'
}

/** The lookup failed: c-ares calls its own troubles with name servers as sockets call theirs. */
const isLookup = (error: unknown): boolean => {
  const { syscall } = (error ?? {}) as { syscall?: unknown }
  return typeof syscall === 'string' && /^(query|getaddrinfo)/.test(syscall)
}

/** Why a connection could not be made, or broke. One table for everything that this service connects to. */
export const connectionFaultOf = (error: unknown): ConnectionFault => {
  const code = codeOf(error)
  if (error instanceof BlockedTarget)
    return { kind: 'blocked', code, words: `this service does not connect to that address: ${error.reason}` }
  const known = rows.find(([pattern]) => pattern.test(code))
  if (isLookup(error) && known?.[1] !== 'name')
    return { kind: 'name', code, words: "the host's name servers did not answer" }
  if (!known) return { kind: 'unknown', code, words: 'the connection to the host failed' }
  return { kind: known[1], code, words: known[2] }
}
