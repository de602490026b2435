/** Remainders of the sum of a frame of FLAC (RFC 9639, section 9.3), by byte. */
const remainders = Uint16Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 8
  for (let n = 0; n < 8; n++) value = ((value << 1) ^ (value & 0x8000 ? 0x8005 : 0)) & 0xffff
  return value
})
const isFrame = (bytes: Buffer): boolean => bytes.length >= 2 && (bytes.readUInt16BE(0) & 0xfffe) === 0xfff8

/**
 * Whether bytes are frames of FLAC, one behind the other, of which each has the sum that it names. A frame together with its
 * sum has none, and so have many. Decoders pass over what is between frames that they find, and say nothing of it.
 */
export const areWholeFrames = async (pieces: AsyncIterable<Uint8Array>): Promise<boolean> => {
  let sum = 0
  let begins = Buffer.alloc(0)
  for await (const piece of pieces) {
    if (begins.length < 2) begins = Buffer.concat([begins, piece.subarray(0, 2)])
    for (const byte of piece) sum = ((sum << 8) & 0xffff) ^ remainders[(sum >> 8) ^ byte]!
  }
  return isFrame(begins) && sum === 0
}
