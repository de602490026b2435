// SHA-256 (FIPS 180-4), for whole files where the platform has no hash that takes bytes piece by piece: WebCrypto wants
// them all at once. Node's own is used instead where there is one.

const BLOCK = 64

// First 32 bits of the fractional parts of the cube roots (K) and square roots (H) of the first primes.
const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) | 0
const primes = (count: number): number[] => {
  const found: number[] = []
  for (let n = 2; found.length < count; n += 1) if (found.every((prime) => n % prime !== 0)) found.push(n)
  return found
}
const K = Int32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)))
const H = Int32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)))

const compress = (state: Int32Array, w: Int32Array, view: DataView, at: number): void => {
  for (let i = 0; i < 16; i += 1) w[i] = view.getInt32(at + i * 4)
  for (let i = 16; i < 64; i += 1) {
    const x = w[i - 15] as number
    const y = w[i - 2] as number
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    w[i] = ((w[i - 16] as number) + s0 + (w[i - 7] as number) + s1) | 0
  }
  // Word by word: taking the array apart would cost as much as hashing.
  let a = state[0] as number
  let b = state[1] as number
  let c = state[2] as number
  let d = state[3] as number
  let e = state[4] as number
  let f = state[5] as number
  let g = state[6] as number
  let h = state[7] as number
  for (let i = 0; i < 64; i += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (K[i] as number) + (w[i] as number)) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  state[0] = (state[0] as number) + a
  state[1] = (state[1] as number) + b
  state[2] = (state[2] as number) + c
  state[3] = (state[3] as number) + d
  state[4] = (state[4] as number) + e
  state[5] = (state[5] as number) + f
  state[6] = (state[6] as number) + g
  state[7] = (state[7] as number) + h
}

export interface Hasher {
  update(bytes: Uint8Array): void
  /** Lower-case hex. The hasher cannot be used after it. */
  digest(): string
}

export const createSha256 = (): Hasher => {
  const state = Int32Array.from(H)
  const schedule = new Int32Array(64)
  const block = new Uint8Array(BLOCK)
  const blockView = new DataView(block.buffer)
  let held = 0
  let length = 0

  const update = (bytes: Uint8Array): void => {
    length += bytes.length
    let at = 0
    if (held > 0) {
      at = Math.min(BLOCK - held, bytes.length)
      block.set(bytes.subarray(0, at), held)
      held += at
      if (held < BLOCK) return
      compress(state, schedule, blockView, 0)
      held = 0
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (; at + BLOCK <= bytes.length; at += BLOCK) compress(state, schedule, view, at)
    block.set(bytes.subarray(at))
    held = bytes.length - at
  }

  const digest = (): string => {
    const bits = length * 8
    const padding = new Uint8Array((held < 56 ? 56 : 120) - held + 8)
    padding[0] = 0x80
    const view = new DataView(padding.buffer)
    view.setUint32(padding.length - 8, Math.floor(bits / 2 ** 32))
    view.setUint32(padding.length - 4, bits >>> 0)
    update(padding)
    return [...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
  }
  return { update, digest }
}
