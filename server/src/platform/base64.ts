import { invalid } from '@integrity/protocol'

/** Bytes of a base64 text (RFC 4648, section 4, the padding may be missing). Refuses anything else, with its place in the body. */
export const decodeBase64 = (text: unknown, path: string): Buffer => {
  if (typeof text !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw invalid(path, 'must be base64')
  return Buffer.from(text, 'base64')
}
