/** What is wrong with an answer of a time-stamp authority. */
export type TimestampFault =
  /** It is no answer of RFC 3161, or one that this service does not read. */
  | 'unreadable'
  /** The authority said no. */
  | 'refused'
  /** It is of other bytes. */
  | 'other_imprint'
  /** It answers another question. */
  | 'other_nonce'
  /** It was given under another policy than was asked for. */
  | 'other_policy'
  /** The signature is none of the certificate that the token names. */
  | 'signature_broken'
  /** The certificate is not for time stamps, or was not valid at the time that the token states. */
  | 'certificate_unfit'
  /** The certificate leads to none that is trusted. */
  | 'authority_unknown'

const words: Readonly<Record<TimestampFault, string>> = {
  unreadable: 'its answer is no time stamp after RFC 3161',
  refused: 'it refused',
  other_imprint: 'its time stamp is of other bytes than it was sent',
  other_nonce: 'its time stamp answers another request',
  other_policy: 'its time stamp was given under another policy than was asked for',
  signature_broken: 'the signature of its time stamp does not hold',
  certificate_unfit: 'its certificate is not for time stamps, or was not valid at the time of this one',
  authority_unknown: 'its certificate leads to none that is trusted here: paste the certificate of its authority',
}

/** A time stamp that is not taken, and why. */
export class TimestampRejected extends Error {
  override readonly name = 'TimestampRejected'
  readonly fault: TimestampFault
  constructor(fault: TimestampFault, said = '') {
    super(`${words[fault]}${said}`)
    this.fault = fault
  }
}
