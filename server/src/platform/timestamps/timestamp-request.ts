import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import { MessageImprint, TimeStampReq } from '@peculiar/asn1-tsp'
import { AlgorithmIdentifier } from '@peculiar/asn1-x509'

export const sha256Id = '2.16.840.1.101.3.4.2.1'

/** An ASN.1 integer above zero of eight random bytes: without a leading zero it has one spelling. */
export const nonceOf = (random: Buffer): Buffer => {
  const nonce = Buffer.from(random.subarray(0, 8))
  nonce[0] = (nonce.readUInt8(0) & 0x3f) | 0x40
  return nonce
}

/** The body of a request (RFC 3161, section 2.4.1) for a SHA-256, which asks for the certificate of the authority too. */
export const timestampRequest = ({
  hash,
  nonce,
  policy,
}: {
  readonly hash: Buffer
  readonly nonce: Buffer
  readonly policy: string | null
}): Buffer =>
  Buffer.from(
    AsnConvert.serialize(
      new TimeStampReq({
        messageImprint: new MessageImprint({
          hashAlgorithm: new AlgorithmIdentifier({ algorithm: sha256Id, parameters: null }),
          hashedMessage: new OctetString(hash),
        }),
        ...(policy !== null && { reqPolicy: policy }),
        nonce: new Uint8Array(nonce).buffer,
        certReq: true,
      }),
    ),
  )
