// Copied from shared-protocol/src/core/join-frames.ts by `npm run generate`.
/*
 * Several heads with their bytes in one body: for each a 4-byte big-endian length and the head (UTF-8 JSON), then a 4-byte
 * big-endian length and the bytes. Nothing is before, between or behind the frames. The client library carries a copy of this
 * file, so that it imports nothing.
 */

const lengthOf = (value: number): Uint8Array => {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

/** A head is an object, or the bytes of its JSON. */
const bytesOf = (head: object): Uint8Array =>
  head instanceof Uint8Array ? head : new TextEncoder().encode(JSON.stringify(head))

export const joinFrames = (
  frames: readonly { readonly head: object; readonly body: Uint8Array }[],
): Uint8Array<ArrayBuffer> => {
  const pieces = frames.flatMap(({ head, body }) => {
    const said = bytesOf(head)
    return [lengthOf(said.length), said, lengthOf(body.length), body]
  })
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
