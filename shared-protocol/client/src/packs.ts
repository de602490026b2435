import type { Send } from './calls.ts'
import type { PackAnswer, PackHead } from './endpoint-types.ts'
import { packLimits } from './generated/pack-contract.ts'
import { sha256Hex } from './hashing.ts'
import { base64Of, type Frame, frameOf, packBody, sizeOf } from './pack-frames.ts'

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

const itemFrame = async ({ bytes, small, levels, ...said }: PackItem): Promise<Frame> => {
  const sha256 = said.sha256 ?? (await sha256Hex(bytes))
  const head = {
    ...said,
    sha256,
    clientId: said.clientId ?? sha256,
    ...(small && { small: base64Of(small) }),
    ...(levels && { levels: base64Of(levels) }),
  }
  const frame = frameOf(head, bytes)
  if (sizeOf(frame) > packLimits.bytes)
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
    if (last && room >= 0 && last.length < packLimits.items) last.push(frame)
    else {
      packs.push([frame])
      room = packLimits.bytes - sizeOf(frame)
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
  for (const item of items) frames.push(await itemFrame(item))
  const outcomes: PackOutcome[] = []
  for (const pack of packsOf(frames)) {
    const input = { params: { id: sessionId }, raw: packBody(pack), signal, repeatable: true }
    const { data } = await send('agent.packs.upload', input)
    outcomes.push(...data.items)
  }
  return outcomes
}
