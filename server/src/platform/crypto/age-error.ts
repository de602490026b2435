import { CodedError } from '../coded-error.ts'

export type AgeErrorCode =
  /** Not an age identity (`AGE-SECRET-KEY-1…`). */
  | 'invalid_identity'
  /** Not an age X25519 recipient (`age1…`), or no recipient, or too many. */
  | 'invalid_recipient'
  /** The header is not well-formed age v1 text. */
  | 'malformed_header'
  /** No stanza of the header opens with this identity. */
  | 'no_matching_identity'
  /** A stanza opened, but the header's MAC does not fit: the header was changed. */
  | 'header_mac_mismatch'
  /** A chunk does not authenticate: flipped, reordered, spliced, cut, or of another object. */
  | 'payload_corrupt'
  /** The payload's length is impossible, or not the one its size asks for. */
  | 'payload_size'
  /** The wanted range does not lie within the plaintext. */
  | 'invalid_range'

/** Whatever keeps sealed bytes from being opened. Content is never returned together with one of these. */
export class AgeError extends CodedError<AgeErrorCode> {
  override readonly name = 'AgeError'
}
