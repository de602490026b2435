import { BrokenReel, FrameReader, type RawFrame } from './frame-reader.ts'

export type ReelSize = 'full' | 'small' | 'levels'

/** A stretch of what one source recorded; `toMs` is not part of it. */
export interface ReelSpan {
  readonly source: string
  readonly size: ReelSize
  readonly fromMs: number
  readonly toMs: number
}

/** An item as it came in a reel. `absent`: why it has no bytes. */
export interface ReelItem {
  readonly id: string
  readonly atMs: number
  readonly durationMs: number | null
  readonly contentType: string
  readonly sha256: string
  readonly absent?: string | undefined
  readonly bytes: Uint8Array<ArrayBuffer>
}

const itemOf = ({ head, body }: RawFrame): ReelItem => {
  const { id, atMs, durationMs, contentType, sha256, absent } = head
  if (typeof id !== 'string' || typeof atMs !== 'number' || typeof sha256 !== 'string')
    throw new BrokenReel('a frame does not say what it is')
  return {
    id,
    atMs,
    sha256,
    bytes: body,
    durationMs: typeof durationMs === 'number' ? durationMs : null,
    contentType: typeof contentType === 'string' ? contentType : '',
    absent: typeof absent === 'string' ? absent : undefined,
  }
}

/**
 * Hands on each item of a reel as it arrives, and answers where the next reel begins: null where there is nothing more.
 * Throws `BrokenReel` where the answer is none, or breaks off before its last frame.
 */
export const readReel = async (
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onItem: (item: ReelItem) => void,
): Promise<number | null> => {
  const frames = new FrameReader()
  let next: number | null | undefined
  const reader = body.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read())
    for (const frame of frames.push(read.value)) {
      if (next !== undefined) throw new BrokenReel('a frame follows the last one')
      if ('nextMs' in frame.head) next = typeof frame.head['nextMs'] === 'number' ? frame.head['nextMs'] : null
      else onItem(itemOf(frame))
    }
  frames.end()
  if (next === undefined) throw new BrokenReel('the reel has no end')
  return next
}
