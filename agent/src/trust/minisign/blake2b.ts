/** BLAKE2b, RFC 7693: parameters and names follow its section 3. */
const mask = 0xffff_ffff_ffff_ffffn
const blockBytes = 128
const rounds = 12

const iv = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
] as const

const sigma = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
] as const

/** Columns, then diagonals, of the working vector. */
const lanes = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const

const rotate = (word: bigint, bits: bigint): bigint => ((word >> bits) | (word << (64n - bits))) & mask

const mix = (v: BigUint64Array, [a, b, c, d]: (typeof lanes)[number], x: bigint, y: bigint): void => {
  v[a] = v[a]! + v[b]! + x
  v[d] = rotate(v[d]! ^ v[a]!, 32n)
  v[c] = v[c]! + v[d]!
  v[b] = rotate(v[b]! ^ v[c]!, 24n)
  v[a] = v[a]! + v[b]! + y
  v[d] = rotate(v[d]! ^ v[a]!, 16n)
  v[c] = v[c]! + v[d]!
  v[b] = rotate(v[b]! ^ v[c]!, 63n)
}

const compress = (h: BigUint64Array, block: DataView, bytesSoFar: number, isLast: boolean): void => {
  const v = new BigUint64Array(16)
  v.set(h)
  v.set(iv, 8)
  v[12] = v[12]! ^ BigInt(bytesSoFar)
  if (isLast) v[14] = v[14]! ^ mask
  const word = (index: number): bigint => block.getBigUint64(index * 8, true)
  for (let round = 0; round < rounds; round += 1) {
    const order = sigma[round % sigma.length]!
    for (const [i, lane] of lanes.entries()) mix(v, lane, word(order[2 * i]!), word(order[2 * i + 1]!))
  }
  for (let i = 0; i < 8; i += 1) h[i] = h[i]! ^ v[i]! ^ v[i + 8]!
}

/**
 * BLAKE2b-512 without a key (RFC 7693); 64 bytes. Electron's BoringSSL has no `blake2b512`, so node:crypto cannot be
 * relied on where this runs. Meant for small documents: some 2 MB a second.
 */
export const blake2b512 = (message: Uint8Array): Buffer => {
  const h = BigUint64Array.from(iv)
  h[0] = h[0]! ^ 0x0101_0000n ^ 64n
  const blocks = Math.max(1, Math.ceil(message.length / blockBytes))
  const block = new Uint8Array(blockBytes)
  const view = new DataView(block.buffer)
  for (let i = 0; i < blocks; i += 1) {
    const end = Math.min(message.length, (i + 1) * blockBytes)
    block.fill(0)
    block.set(message.subarray(i * blockBytes, end))
    compress(h, view, end, i === blocks - 1)
  }
  const digest = Buffer.alloc(64)
  for (const [i, word] of h.entries()) digest.writeBigUInt64LE(word, i * 8)
  return digest
}
