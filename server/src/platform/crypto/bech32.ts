import { bech32 } from '@scure/base'

/** The text is not bech32: mixed case, a foreign character, a wrong checksum or non-zero padding. */
export class Bech32Error extends Error {
  override readonly name = 'Bech32Error'
}

/** Bech32 (BIP 173) without its length limit: age identities are longer. `prefix` is the human-readable part, in lower case. */
export const encodeBech32 = (prefix: string, data: Uint8Array): string =>
  bech32.encode(prefix, bech32.toWords(data), false)

/** Decodes all-lower or all-upper case text. The prefix comes back in lower case. Throws `Bech32Error`. */
export const decodeBech32 = (text: string): { prefix: string; data: Buffer } => {
  try {
    const { prefix, words } = bech32.decode(text, false)
    return { prefix, data: Buffer.from(bech32.fromWords(words)) }
  } catch {
    // The library's own error holds the text, which may be a secret.
    throw new Bech32Error('not bech32')
  }
}
