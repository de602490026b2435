/** Bech32 as BIP 173 defines it, without its length limit (age identities are longer): only what age keys need. */

const CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3] as const
const CHECKSUM_LENGTH = 6

/** The text is not bech32: mixed case, a foreign character, a wrong checksum or non-zero padding. */
export class Bech32Error extends Error {
  override readonly name = 'Bech32Error'
}

/** Encodes in lower case; `prefix` is the human-readable part, in lower case. */
export function encodeBech32(prefix: string, data: Uint8Array): string {
  const words = regroup(data, 8, 5, true)
  const sum = polymod([...expandPrefix(prefix), ...words, 0, 0, 0, 0, 0, 0]) ^ 1
  for (let i = 0; i < CHECKSUM_LENGTH; i++) words.push((sum >>> (5 * (CHECKSUM_LENGTH - 1 - i))) & 31)
  return `${prefix}1${words.map((word) => CHARSET[word]).join('')}`
}

/** Decodes all-lower or all-upper case text. The prefix comes back in lower case. Throws `Bech32Error`. */
export function decodeBech32(text: string): { prefix: string; data: Buffer } {
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase()) throw new Bech32Error('mixed case')
  const split = lower.lastIndexOf('1')
  if (split < 1 || lower.length - split - 1 < CHECKSUM_LENGTH) throw new Bech32Error('no separator or too short')
  const prefix = lower.slice(0, split)
  if (!/^[\x21-\x7e]+$/.test(prefix)) throw new Bech32Error('invalid prefix')
  const words: number[] = []
  for (const character of lower.slice(split + 1)) {
    const word = CHARSET.indexOf(character)
    if (word < 0) throw new Bech32Error('invalid character')
    words.push(word)
  }
  if (polymod([...expandPrefix(prefix), ...words]) !== 1) throw new Bech32Error('wrong checksum')
  return { prefix, data: Buffer.from(regroup(words.slice(0, -CHECKSUM_LENGTH), 5, 8, false)) }
}

function expandPrefix(prefix: string): number[] {
  const codes = Array.from(prefix, (character) => character.charCodeAt(0))
  return [...codes.map((code) => code >>> 5), 0, ...codes.map((code) => code & 31)]
}

function polymod(words: readonly number[]): number {
  let sum = 1
  for (const word of words) {
    const top = sum >>> 25
    sum = ((sum & 0x1ffffff) << 5) ^ word
    for (const [bit, value] of GENERATOR.entries()) if ((top >>> bit) & 1) sum ^= value
  }
  return sum >>> 0
}

function regroup(input: Iterable<number>, from: number, to: number, pad: boolean): number[] {
  const output: number[] = []
  const mask = (1 << to) - 1
  let buffer = 0
  let bits = 0
  for (const value of input) {
    buffer = ((buffer << from) | value) & 0xfff
    bits += from
    while (bits >= to) {
      bits -= to
      output.push((buffer >>> bits) & mask)
    }
  }
  const rest = (buffer << (to - bits)) & mask
  if (pad) {
    if (bits > 0) output.push(rest)
  } else if (bits >= from || rest !== 0) {
    throw new Bech32Error('invalid padding')
  }
  return output
}
