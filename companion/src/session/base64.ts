const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** RFC 4648, section 4. Neither engine that this runs on has one for bytes everywhere yet. */
export const encodeBase64 = (buffer: ArrayBuffer): string => {
  const bytes = new Uint8Array(buffer)
  const pieces: string[] = []
  let piece = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b, c] = [bytes[at], bytes[at + 1], bytes[at + 2]]
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0)
    piece += alphabet[bits >> 18]! + alphabet[(bits >> 12) & 63]!
    piece += b === undefined ? '==' : alphabet[(bits >> 6) & 63]! + (c === undefined ? '=' : alphabet[bits & 63]!)
    if (piece.length > 8192) {
      pieces.push(piece)
      piece = ''
    }
  }
  return pieces.join('') + piece
}

/** The bytes of base64 text. What is not of its alphabet ends it. */
export const decodeBase64 = (text: string): ArrayBuffer => {
  const end = text.search(/[^A-Za-z0-9+/]/)
  const length = end < 0 ? text.length : end
  const bytes = new Uint8Array(Math.floor((length * 3) / 4))
  let bits = 0
  let value = 0
  let at = 0
  for (let n = 0; n < length; n++) {
    value = ((value << 6) | alphabet.indexOf(text[n]!)) & 0xffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes[at++] = value >> bits
  }
  return bytes.buffer
}
