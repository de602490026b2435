import { joinFrames } from './generated/join-frames.ts'
import { packMediaType } from './generated/pack-contract.ts'

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

/** What one request of `agent.packs.upload` carries. */
export const packBody = (frames: readonly Frame[]) => ({
  bytes: joinFrames(frames),
  contentType: packMediaType,
  meta: {},
})
