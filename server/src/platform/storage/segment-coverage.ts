import { crc32 } from 'node:zlib'

/** Bytes from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * One line of a coverage map. It begins with a newline too, so that a line cut short by a kill spoils only itself,
 * and carries a CRC-32, so that what a power cut leaves behind is never taken for a span.
 */
export const coverageRecord = ({ start, end }: Span): string => {
  const text = `${start} ${end}`
  return `\n${text} ${checksum(text)}\n`
}

/** Whether the spans of a coverage map leave nothing out of 0 to `size`. Unreadable lines count as never written. */
export const isCovered = (map: string, size: number): boolean => {
  let reached = 0
  for (const { start, end } of readSpans(map).sort((a, b) => a.start - b.start)) {
    if (start > reached) return false
    reached = Math.max(reached, end)
  }
  return reached >= size
}

/** Spans that neither touch nor overlap, and one more. */
export const addSpan = (spans: readonly Span[], { start, end }: Span): Span[] => {
  const apart = spans.filter((span) => span.end < start || span.start > end)
  const joined = spans.filter((span) => !(span.end < start || span.start > end))
  const one = {
    start: Math.min(start, ...joined.map((span) => span.start)),
    end: Math.max(end, ...joined.map((span) => span.end)),
  }
  return [...apart, one]
}

/** Whether one of the spans of `addSpan` holds all of it. */
export const covers = (spans: readonly Span[], { start, end }: Span): boolean =>
  spans.some((span) => span.start <= start && span.end >= end)

const readSpans = (map: string): Span[] => {
  const spans: Span[] = []
  for (const line of map.split('\n')) {
    const match = /^(\d+) (\d+) ([0-9a-f]{8})$/.exec(line)
    if (match && checksum(`${match[1]} ${match[2]}`) === match[3]) {
      spans.push({ start: Number(match[1]), end: Number(match[2]) })
    }
  }
  return spans
}

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0')
