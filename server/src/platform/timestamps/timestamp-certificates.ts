import { createHash, X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { AsnConvert } from '@peculiar/asn1-schema'
import { Certificate, ExtendedKeyUsage, id_ce_extKeyUsage } from '@peculiar/asn1-x509'

const timeStamping = '1.3.6.1.5.5.7.3.8'
const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** The certificates in a text; undefined where there is none, or one that cannot be read. */
export const readCertificates = (text: string): readonly X509Certificate[] | undefined => {
  const found = text.match(pem) ?? []
  try {
    return found.length === 0 ? undefined : found.map((one) => new X509Certificate(one))
  } catch {
    return undefined
  }
}

/** What a certificate may lead to: those that somebody named, else those that Node.js trusts. */
export const anchorsOf = (text: string | null): readonly X509Certificate[] =>
  (text === null ? undefined : readCertificates(text)) ?? rootCertificates.map((one) => new X509Certificate(one))

const wasValid = (certificate: X509Certificate, at: number): boolean =>
  certificate.validFromDate.getTime() <= at && at <= certificate.validToDate.getTime()

/** For time stamps and nothing else, as RFC 3161, section 2.3, asks, and valid at that time. */
export const isFit = (certificate: X509Certificate, at: number): boolean => {
  const { extensions = [] } = AsnConvert.parse(certificate.raw, Certificate).tbsCertificate
  const usage = extensions.find(({ extnID }) => extnID === id_ce_extKeyUsage)
  if (usage?.critical !== true || !wasValid(certificate, at)) return false
  const purposes = AsnConvert.parse(usage.extnValue.buffer, ExtendedKeyUsage)
  return purposes.length === 1 && purposes[0] === timeStamping
}

/** Whether a certificate is one of the anchors, or is signed by one, perhaps over others that came with it. */
export const leadsTo = (
  anchors: readonly X509Certificate[],
  certificate: X509Certificate,
  { others, at }: { readonly others: readonly X509Certificate[]; readonly at: number },
): boolean => {
  const isAnchor = ({ raw }: X509Certificate): boolean => anchors.some((anchor) => anchor.raw.equals(raw))
  const reached = [certificate]
  // What is reached is added behind, once each.
  for (const one of reached) {
    if (isAnchor(one)) return true
    for (const issuer of [...anchors, ...others])
      if (
        !reached.some(({ raw }) => raw.equals(issuer.raw)) &&
        issuer.ca &&
        wasValid(issuer, at) &&
        one.checkIssued(issuer) &&
        one.verify(issuer.publicKey)
      )
        reached.push(issuer)
  }
  return false
}

/** `ESSCertID` is by SHA-1 (RFC 2634), `ESSCertIDv2` by SHA-256 unless it says another (RFC 5035). */
const namingHashes = ['sha256', 'sha384', 'sha512', 'sha1'] as const

/**
 * The certificate that a signed attribute names by its hash. The attribute is looked through for that octet string: nothing
 * else in it can be the hash of a certificate that is here.
 */
export const namedBy = (attribute: Buffer, certificates: readonly X509Certificate[]): X509Certificate | undefined =>
  certificates.find(({ raw }) =>
    namingHashes.some((name) => {
      const hash = createHash(name).update(raw).digest()
      return attribute.includes(Buffer.concat([Uint8Array.of(0x04, hash.length), hash]))
    }),
  )
