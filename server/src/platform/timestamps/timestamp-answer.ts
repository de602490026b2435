import type { X509Certificate } from 'node:crypto'
import { id_signedData, SignedData } from '@peculiar/asn1-cms'
import { AsnConvert } from '@peculiar/asn1-schema'
import { PKIStatus, type PKIStatusInfo, TimeStampResp, TSTInfo } from '@peculiar/asn1-tsp'
import { isFit, leadsTo } from './timestamp-certificates.ts'
import { TimestampRejected } from './timestamp-fault.ts'
import { sha256Id } from './timestamp-request.ts'
import { signedContent } from './timestamp-signature.ts'

/** What a time stamp that holds says. */
export interface Timestamp {
  /** Epoch milliseconds, by the clock of the authority. */
  readonly at: number
  /** The subject of its certificate, in one line. */
  readonly authority: string
  readonly policy: string
}

interface Wanted {
  /** SHA-256 of what was stamped. */
  readonly hash: Buffer
  /** Those of the request; nobody keeps them for later. */
  readonly nonce?: Buffer
  readonly policy?: string | null
  readonly anchors: readonly X509Certificate[]
}

/** Bytes that are no ASN.1 of this kind make the library throw errors of many kinds. */
const reading = <T>(read: () => T): T => {
  try {
    return read()
  } catch (error) {
    throw error instanceof TimestampRejected ? error : new TimestampRejected('unreadable')
  }
}

/** What an authority says beside its status, as one short line that is safe to show. */
const saidBy = ({ statusString }: PKIStatusInfo): string => {
  const text = [...(statusString ?? [])].join(' ').replace(/[^\x20-\x7e]+/g, ' ')
  return text === '' ? '' : `: ${text.slice(0, 200)}`
}

const tokenOf = (answer: Uint8Array): SignedData => {
  const { status, timeStampToken } = AsnConvert.parse(answer, TimeStampResp)
  if (status.status !== PKIStatus.granted && status.status !== PKIStatus.grantedWithMods)
    throw new TimestampRejected('refused', saidBy(status))
  if (timeStampToken?.contentType !== id_signedData) throw new TimestampRejected('unreadable')
  return AsnConvert.parse(timeStampToken.content, SignedData)
}

const checkContent = ({ messageImprint, nonce, policy }: TSTInfo, wanted: Wanted): void => {
  const { hashAlgorithm, hashedMessage } = messageImprint
  if (hashAlgorithm.algorithm !== sha256Id || !wanted.hash.equals(Buffer.from(hashedMessage.buffer)))
    throw new TimestampRejected('other_imprint')
  if (wanted.nonce && !(nonce && wanted.nonce.equals(Buffer.from(nonce)))) throw new TimestampRejected('other_nonce')
  if (typeof wanted.policy === 'string' && wanted.policy !== policy) throw new TimestampRejected('other_policy')
}

/**
 * Reads an answer of a time-stamp authority (RFC 3161, section 2.4.2) and checks all of it: that it was granted, its
 * signature, of what and to which question it is, and that its certificate is for time stamps and leads to one of the
 * anchors. Throws `TimestampRejected`.
 */
export const verifyTimestamp = (answer: Uint8Array, wanted: Wanted): Timestamp => {
  const { info, certificate, others } = reading(() => {
    const { content, ...signed } = signedContent(tokenOf(answer), wanted.anchors)
    return { ...signed, info: AsnConvert.parse(content, TSTInfo) }
  })
  checkContent(info, wanted)
  const at = info.genTime.getTime()
  if (!reading(() => isFit(certificate, at))) throw new TimestampRejected('certificate_unfit')
  if (!leadsTo(wanted.anchors, certificate, { others, at })) throw new TimestampRejected('authority_unknown')
  return { at, authority: certificate.subject.replaceAll('\n', ', '), policy: info.policy }
}
