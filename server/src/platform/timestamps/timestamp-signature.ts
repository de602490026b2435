import { constants, createHash, type KeyObject, verify, X509Certificate } from 'node:crypto'
import { Attribute, id_contentType, id_messageDigest, type SignedData, type SignerInfo } from '@peculiar/asn1-cms'
import { AsnArray, AsnConvert, AsnType, AsnTypeTypes, OctetString } from '@peculiar/asn1-schema'
import { id_ct_tstInfo } from '@peculiar/asn1-tsp'
import { namedBy } from './timestamp-certificates.ts'
import { TimestampRejected } from './timestamp-fault.ts'

/** `signingCertificate` and its second version. */
const namingAttributes = ['1.2.840.113549.1.9.16.2.12', '1.2.840.113549.1.9.16.2.47']

/** Hashes by their own name, and by that of a signature that states its hash. */
const hashes: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
}
const rsaPss = '1.2.840.113549.1.1.10'

/** What a signature is over: the attributes with the tag of a set, not that of their place (RFC 5652, section 5.4). */
class SignedAttributes extends AsnArray<Attribute> {}
AsnType({ type: AsnTypeTypes.Set, itemType: Attribute })(SignedAttributes)

/** `id-ct-TSTInfo` as an object identifier is encoded, without tag and length. */
const tstInfoType = Buffer.from('2a864886f70d0109100104', 'hex')

const attributeOf = (attributes: readonly Attribute[], type: string): Buffer | undefined => {
  const value = attributes.find(({ attrType }) => attrType === type)?.attrValues[0]
  return value && Buffer.from(value)
}

const isSigned = (key: KeyObject, signer: SignerInfo, signed: Buffer): boolean => {
  const { algorithm } = signer.signatureAlgorithm
  const signature = Buffer.from(signer.signature.buffer)
  if (key.asymmetricKeyType === 'ed25519') return verify(null, signed, key, signature)
  const hash = hashes[algorithm] ?? hashes[signer.digestAlgorithm.algorithm]
  if (hash === undefined) return false
  const padding = algorithm === rsaPss ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING
  return verify(hash, signed, key.asymmetricKeyType === 'rsa' ? { key, padding } : key, signature)
}

const certificatesIn = ({ certificates }: SignedData): X509Certificate[] =>
  [...(certificates ?? [])].flatMap(({ certificate }) =>
    certificate ? [new X509Certificate(Buffer.from(AsnConvert.serialize(certificate)))] : [],
  )

/** More than an authority has above it, and few enough to be tried against each other. */
const mostCertificates = 20

/**
 * The content that was signed, and by which certificate; `known` are some that need not have come
 * with it. Throws `TimestampRejected` where the one signature does not hold.
 */
export const signedContent = (data: SignedData, known: readonly X509Certificate[]) => {
  const content = data.encapContentInfo.eContent?.single
  const [signer, another] = data.signerInfos
  const others = certificatesIn(data)
  if (data.encapContentInfo.eContentType !== id_ct_tstInfo || !content || !signer || another)
    throw new TimestampRejected('unreadable')
  if (others.length > mostCertificates) throw new TimestampRejected('unreadable')
  const bytes = Buffer.from(content.buffer)
  const { signedAttrs = [] } = signer
  const naming = namingAttributes.flatMap((type) => attributeOf(signedAttrs, type) ?? [])
  const certificate = namedBy(Buffer.concat(naming), [...others, ...known])
  const digest = attributeOf(signedAttrs, id_messageDigest)
  const type = attributeOf(signedAttrs, id_contentType)
  const hash = hashes[signer.digestAlgorithm.algorithm]
  if (!certificate || !digest || !type || hash === undefined) throw new TimestampRejected('signature_broken')
  const stated = Buffer.from(AsnConvert.parse(digest, OctetString).buffer)
  const signed = Buffer.from(AsnConvert.serialize(new SignedAttributes(signedAttrs)))
  const holds =
    stated.equals(createHash(hash).update(bytes).digest()) &&
    type.subarray(2).equals(tstInfoType) &&
    isSigned(certificate.publicKey, signer, signed)
  if (!holds) throw new TimestampRejected('signature_broken')
  return { content: bytes, certificate, others }
}
