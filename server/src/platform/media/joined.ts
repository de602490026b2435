import { type Look, lookInto } from './look-into.ts'
import { elementAt, elementIds } from './matroska-elements.ts'
import type { Recording } from './media.types.ts'

/** A second head among the elements. What has no length of its own is walked through, all else is passed over. */
const isJoinedMatroska = async (look: Look): Promise<boolean> => {
  for (let at = 0; ; ) {
    const element = elementAt(await look(at, 12), 0)
    if (!element) return false
    if (element.id === elementIds.head && at > 0) return true
    at += element.to === Infinity ? element.from : element.to
  }
}

const beginsStream = 2

/** A stream that begins behind pages of another: all that play together begin together (RFC 3533, section 4). */
const isJoinedOgg = async (look: Look): Promise<boolean> => {
  let hasBegun = false
  for (let at = 0; ; ) {
    const head = await look(at, 27)
    if (head.toString('latin1', 0, 4) !== 'OggS' || head.length < 27) return false
    const isFirst = (head[5]! & beginsStream) !== 0
    if (isFirst && hasBegun) return true
    hasBegun ||= !isFirst
    const sizes = await look(at + 27, head[26]!)
    at += 27 + sizes.length + sizes.reduce((sum, size) => sum + size, 0)
  }
}

/** A second head among the outer boxes. */
const isJoinedMp4 = async (look: Look): Promise<boolean> => {
  for (let at = 0; ; ) {
    const head = await look(at, 16)
    if (head.length < 8) return false
    if (at > 0 && head.toString('latin1', 4, 8) === 'ftyp') return true
    const told = head.readUInt32BE(0)
    const size = told === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : told
    if (size < 8) return false
    at += size
  }
}

const walks: Readonly<Record<string, (look: Look) => Promise<boolean>>> = {
  webm: isJoinedMatroska,
  'x-matroska': isJoinedMatroska,
  ogg: isJoinedOgg,
  mp4: isJoinedMp4,
}

/**
 * Whether several recordings were put behind each other into one file, as far as the first megabytes say. Players and
 * decoders then take the times of the second for those of the first.
 */
export const isJoined = async (recording: Recording, contentType: string): Promise<boolean> => {
  const walk = walks[contentType.split('/')[1] ?? '']
  return (await walk?.(lookInto(recording))) ?? false
}
