const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Crockford base32 of bytes, most significant bit first, no padding (16 bytes → 26 characters). */
export const encodeCrockford = (bytes: Uint8Array): string => {
  let text = ''
  let value = 0
  // Zero bits in front where the length is not a multiple of 5 bits.
  let bits = (5 - ((bytes.length * 8) % 5)) % 5
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet[(value >>> bits) & 31]
      value &= (1 << bits) - 1
    }
  }
  return text
}

const lower = alphabet.toLowerCase()

/** `ses_` + lower-case Crockford base32 of the 16 bytes of a UUIDv7: sorts by time. */
export const idFromBytes = (prefix: string, bytes: Uint8Array): string => {
  let text = `${prefix}_`
  let value = 0
  // 128 bits are 26 characters of 5 bits with 2 zero bits in front, so that ids sort as their bytes do.
  let bits = 2
  for (let n = 0; n < 16; n++) {
    value = ((value << 8) | (bytes[n] as number)) & 0xfff_ffff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += lower[(value >>> bits) & 31]
    }
  }
  return text
}

export const joinCodeLength = 8

/** Forgives case, dashes, blanks and the look-alikes O→0, I and L→1; `undefined` if it cannot be a code. */
export const normaliseJoinCode = (typed: string): string | undefined => {
  const plain = typed
    .toUpperCase()
    .replace(/[\s\-–—_.]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  if (plain.length !== joinCodeLength) return undefined
  for (const character of plain) if (!alphabet.includes(character)) return undefined
  return plain
}

/** `ABCD-EFGH`, as it is shown to people. */
export const showJoinCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** A code from 5 random bytes (40 bits: 8 characters, about 1.1 × 10¹² codes). */
export const joinCodeFrom = (bytes: Uint8Array): string => encodeCrockford(bytes.subarray(0, 5))
