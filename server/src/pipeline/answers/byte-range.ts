import type { ByteRange } from '../../kernel/content.ts'

/**
 * One range out of a `Range` header (RFC 9110, section 14): first-last, first-, or the last so many. Undefined where
 * the whole is to be sent: no header, another unit, several ranges, or not well-formed, as the RFC asks.
 */
export const readRange = (header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined => {
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '')
  if (!match) return undefined
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return undefined
  if (first === '') {
    const count = Math.min(Number(last), size)
    return count === 0 ? 'unsatisfiable' : { start: size - count, end: size }
  }
  if (last !== '' && Number(last) < Number(first)) return undefined
  const start = Number(first)
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size : Math.min(Number(last) + 1, size) }
}
