import type { Send } from './calls.ts'
import type { PackAnswer, PackHead } from './endpoint-types.ts'
import { sha256Hex } from './hashing.ts'

/** What the service takes in one request. */
const mostItems = 64
const mostBytes = 8 * 1024 * 1024
const packType = 'application/vnd.integrity.pack'

type Own = 'clientId' | 'sha256' | 'small' | 'levels'
type Without<Head> = Head extends unknown ? Omit<Head, Own> : never

/** One item of a pack: what is said of it, and its bytes. */
export type PackItem = Without<PackHead> & {
  readonly bytes: Uint8Array
  /** Your own id of this item; the SHA-256 of its bytes unless given, so that the same bytes are sent once for each session. */
  readonly clientId?: string
  /** Lower-case hex, if you know it. */
  readonly sha256?: string
  /** A WebP of the picture, at most 160 pixels a side and 4 kB. */
  readonly small?: Uint8Array
  /** One byte for 100 ms of sound: 0 is −90 dBFS or less, 255 is 0 dBFS. */
  readonly levels?: Uint8Array
}

export interface PackOptions {
  readonly sessionId: string
  readonly items: readonly PackItem[]
  readonly signal?: AbortSignal
}

/** What became of an item. */
export type PackOutcome = PackAnswer['items'][number]

interface Frame {
  readonly head: Uint8Array
  readonly body: Uint8Array
}

/** In pieces: a call takes so many arguments. */
const base64 = (bytes: Uint8Array): string => {
  let text = ''
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096))
  return btoa(text)
}

const sizeOf = ({ head, body }: Frame): number => 8 + head.length + body.length

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

const frameOf = async ({ bytes, small, levels, ...said }: PackItem): Promise<Frame> => {
  const sha256 = said.sha256 ?? (await sha256Hex(bytes))
  const head = {
    ...{ ...said, sha256, clientId: said.clientId ?? sha256 },
    ...(small && { small: base64(small) }),
    ...(levels && { levels: base64(levels) }),
  }
  const frame = { head: new TextEncoder().encode(JSON.stringify(head)), body: bytes }
  if (sizeOf(frame) > mostBytes)
    throw new RangeError(`an item of ${bytes.length} bytes is too large for a pack: upload it by itself`)
  return frame
}

/** As few packs as the limits allow, in the order of the items. */
const packsOf = (frames: readonly Frame[]): Frame[][] => {
  const packs: Frame[][] = []
  let room = 0
  for (const frame of frames) {
    const last = packs.at(-1)
    room -= sizeOf(frame)
    if (last && room >= 0 && last.length < mostItems) last.push(frame)
    else {
      packs.push([frame])
      room = mostBytes - sizeOf(frame)
    }
  }
  return packs
}

/**
 * Sends items of evidence in as few requests as they fit into; answers what became of each, in their order. One that is refused
 * keeps no other out. The same items again store nothing twice.
 */
export const sendPacks = async (
  send: Send,
  { sessionId, items }: PackOptions,
  signal: AbortSignal,
): Promise<PackOutcome[]> => {
  const frames: Frame[] = []
  for (const item of items) frames.push(await frameOf(item))
  const outcomes: PackOutcome[] = []
  for (const pack of packsOf(frames)) {
    const raw = { bytes: joinFrames(pack), contentType: packType, meta: {} }
    const { data } = await send('agent.packs.upload', { params: { id: sessionId }, raw, signal, repeatable: true })
    outcomes.push(...data.items)
  }
  return outcomes
}
