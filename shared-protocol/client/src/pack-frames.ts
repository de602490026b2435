/** What the service takes in one request. */
export const packLimits = { items: 64, bytes: 8 * 1024 * 1024 } as const
const packType = 'application/vnd.integrity.pack'

/** A head as UTF-8 JSON, and the bytes behind it. */
export interface Frame {
  readonly head: Uint8Array
  readonly body: Uint8Array
}

/** In pieces: a call takes so many arguments. */
export const base64Of = (bytes: Uint8Array): string => {
  let text = ''
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096))
  return btoa(text)
}

export const frameOf = (head: object, body: Uint8Array): Frame => ({
  head: new TextEncoder().encode(JSON.stringify(head)),
  body,
})

export const sizeOf = ({ head, body }: Frame): number => 8 + head.length + body.length

/** For each item a 4-byte big-endian length and the head, then a 4-byte big-endian length and the bytes. */
export const joinFrames = (frames: readonly Frame[]): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(frames.reduce((sum, frame) => sum + sizeOf(frame), 0))
  const view = new DataView(whole.buffer)
  let at = 0
  for (const piece of frames.flatMap(({ head, body }) => [head, body])) {
    view.setUint32(at, piece.length)
    whole.set(piece, at + 4)
    at += 4 + piece.length
  }
  return whole
}

/** What one request of `agent.packs.upload` carries. */
export const packBody = (frames: readonly Frame[]) => ({
  bytes: joinFrames(frames),
  contentType: packType,
  meta: {},
})
