import { X509Certificate } from 'node:crypto'
import { invalid } from '@integrity/protocol'

const minRsaBits = 2048

/** A certificate as PEM, or `invalid_request`: not a key, not a chain, not one too weak to trust. */
export const certificateOf = (given: string, path: string): string => {
  const text = given.trim()
  const bare = text.replaceAll(/\s/g, '')
  const pem = /^[A-Za-z0-9+/]+={0,2}$/.test(bare)
    ? `-----BEGIN CERTIFICATE-----\n${bare.replaceAll(/(.{64})/g, '$1\n').trimEnd()}\n-----END CERTIFICATE-----`
    : text
  if (!/^-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----$/.test(pem))
    throw invalid(path, 'must be one X.509 certificate, PEM or base64; a key is none')
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
