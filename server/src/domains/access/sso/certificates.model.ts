import { X509Certificate } from 'node:crypto'
import { invalid } from '@integrity/protocol'

const minRsaBits = 2048

const marks = /-----(BEGIN|END) ([A-Z0-9 ]+)-----/g
const kinds: ReadonlySet<string> = new Set(['CERTIFICATE', 'X509 CERTIFICATE'])

/** However it was pasted: on one line, indented, with what openssl writes around it (RFC 7468, section 2), or base64 alone. */
const pemOf = (given: string): string | undefined => {
  const found = [...given.matchAll(marks)]
  const [begin, end] = found
  const isOne = found.length === 2 && begin?.[1] === 'BEGIN' && end?.[1] === 'END' && kinds.has(begin[2] ?? '')
  if (found.length > 0 && !(isOne && begin[2] === end[2])) return undefined
  const inside = isOne ? given.slice(begin.index + begin[0].length, end.index) : given
  const bare = inside.replaceAll(/\s|\\[rn]/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(bare)) return undefined
  return `-----BEGIN CERTIFICATE-----\n${bare.replaceAll(/(.{64})/g, '$1\n').trimEnd()}\n-----END CERTIFICATE-----`
}

const wrongIn = (given: string, path: string): never => {
  throw invalid(
    path,
    given.split('-----BEGIN ').length > 2
      ? 'must be one certificate: give each of several as an item of its own'
      : 'must be one X.509 certificate, PEM or base64; a key is none',
  )
}

/** A certificate as PEM, or `invalid_request`: not a key, not a chain, not one too weak to trust. */
export const certificateOf = (given: string, path: string): string => {
  const pem = pemOf(given) ?? wrongIn(given, path)
  let certificate: X509Certificate
  try {
    certificate = new X509Certificate(pem)
  } catch {
    throw invalid(path, 'is no X.509 certificate')
  }
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
  const strong =
    asymmetricKeyType === 'ec' ||
    (asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= minRsaBits)
  if (!strong) throw invalid(path, `must hold an RSA key of ${minRsaBits} bits or more, or an EC key`)
  return certificate.toString().trim()
}

export const certificateFacts = (pem: string) => {
  const certificate = new X509Certificate(pem)
  return {
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    subject: certificate.subject.replaceAll('\n', ', '),
    notBefore: certificate.validFromDate.toISOString(),
    notAfter: certificate.validToDate.toISOString(),
  }
}
