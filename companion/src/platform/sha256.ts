const primes = (count: number): number[] => {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n)
  return found
}
const fraction = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) | 0
// FIPS 180-4: the first 32 bits of the fractions of the cube roots and of the square roots of the first primes.
const keys = primes(64).map((prime) => fraction(Math.cbrt(prime)))
const start = primes(8).map((prime) => fraction(Math.sqrt(prime)))

const turned = (value: number, by: number): number => (value >>> by) | (value << (32 - by))

/** One block of 64 bytes into the state. */
const mix = (state: Int32Array, view: DataView, at: number, words: Int32Array): void => {
  for (let n = 0; n < 64; n++) {
    if (n < 16) {
      words[n] = view.getInt32(at + n * 4)
      continue
    }
    const [a, b] = [words[n - 15]!, words[n - 2]!]
    const low = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3)
    const high = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10)
    words[n] = words[n - 16]! + low + words[n - 7]! + high
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let n = 0; n < 64; n++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
    const one = (h + s1 + ((e & f) ^ (~e & g)) + keys[n]! + words[n]!) | 0
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0]
  }
  for (const [n, value] of [a, b, c, d, e, f, g, h].entries()) state[n]! += value
}

/** SHA-256 (FIPS 180-4) in lower-case hex, for engines without Web Crypto. */
export const sha256 = (buffer: ArrayBuffer): string => {
  const padded = new Uint8Array(Math.ceil((buffer.byteLength + 9) / 64) * 64)
  padded.set(new Uint8Array(buffer))
  padded[buffer.byteLength] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(buffer.byteLength / 2 ** 29))
  view.setUint32(padded.length - 4, (buffer.byteLength * 8) >>> 0)
  const state = Int32Array.from(start)
  const words = new Int32Array(64)
  for (let at = 0; at < padded.length; at += 64) mix(state, view, at, words)
  return [...state].map((value) => (value >>> 0).toString(16).padStart(8, '0')).join('')
}
