import { invalid } from '@integrity/protocol'

/** Bytes of a base64 text; refuses what is none, with its place in the body. */
export const decodePicture = (text: string, path: string): Buffer => {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw invalid(path, 'must be base64')
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length === 0) throw invalid(path, 'is empty')
  return bytes
}
