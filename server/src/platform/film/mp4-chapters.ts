import { makeBox, uint32s } from './mp4-boxes.ts'

/** A chapter list counts to here, in names of so many bytes. */
const mostChapters = 255
const longestTitle = 255

export interface Chapter {
  readonly atMs: number
  readonly title: string
}

/** Whole characters, at most so many bytes of UTF-8. */
const cutTitle = (title: string): Buffer => {
  let bytes = Buffer.alloc(0)
  for (const character of title.toWellFormed()) {
    const longer = Buffer.concat([bytes, Buffer.from(character)])
    if (longer.length > longestTitle) break
    bytes = longer
  }
  return bytes
}

const entry = ({ atMs, title }: Chapter): Buffer => {
  const name = cutTitle(title)
  const head = Buffer.alloc(9)
  // In units of 100 nanoseconds.
  head.writeBigUInt64BE(BigInt(Math.round(atMs)) * 10_000n)
  head.writeUInt8(name.length, 8)
  return Buffer.concat([head, name])
}

/** The list of chapters that players of MP4 know (`chpl`, of no standard, read by ffmpeg, VLC, mpv and others). Empty for none. */
export const chapterBox = (chapters: readonly Chapter[]): Buffer => {
  if (chapters.length === 0) return Buffer.alloc(0)
  const listed = chapters.slice(0, mostChapters)
  const head = Buffer.concat([uint32s([0x01000000, 0]), Buffer.from([listed.length])])
  return makeBox('udta', makeBox('chpl', head, ...listed.map(entry)))
}
