import { type Look, lookInto } from './look-into.ts'
import { type Element, elementAt, elementIds } from './matroska-elements.ts'
import type { Recording } from './media.types.ts'

const ids = { time: 0xe7, block: 0xa3, group: 0xa0, groupBlock: 0xa1 } as const
/** Of an element its number and length, of a block also its track and its time. */
const headBytes = 24

/** What is passed over to find the end; undefined where the recording, or what is looked at of it, ends. */
const nextElement = async (look: Look, at: number): Promise<(Element & { readonly head: Buffer }) | undefined> => {
  const head = await look(at, headBytes)
  const element = elementAt(head, 0)
  return element && { ...element, head }
}

/** When a block is, counted from its cluster: behind the number of its track, which has one byte or more. */
const timeInCluster = (head: Buffer, from: number): number => {
  const track = Math.clz32(head[from] ?? 0) - 23
  return from + track + 2 <= head.length ? head.readInt16BE(from + track) : 0
}

/**
 * When the last picture or sound of a recording is, in its own units, which recorders that write as they go do not say. 0
 * where it has none, and where its end is behind the first megabytes.
 */
export const endOfMatroska = async (recording: Recording): Promise<number> => {
  const look = lookInto(recording)
  let [at, cluster, end] = [0, 0, 0]
  while (at < recording.sizeBytes) {
    const element = await nextElement(look, at)
    if (!element) return 0
    const { id, from, to, head } = element
    const isOpened = id === elementIds.segment || id === elementIds.cluster || id === ids.group
    if (id === ids.time && to <= head.length && to - from <= 6) cluster = head.readUIntBE(from, to - from)
    if (id === ids.block || id === ids.groupBlock) end = Math.max(end, cluster + timeInCluster(head, from))
    at += isOpened ? from : to
  }
  return end
}
