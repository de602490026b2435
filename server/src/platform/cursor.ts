/** A place in a list that grows, opaque to clients: `position` (from 0) in the list `of` this name. */
export const encodePosition = (of: string, position: number): string =>
  Buffer.from(`${position}.${of}`, 'latin1').toString('base64url')

/** Undefined for what `encodePosition` did not make for this list. */
export const decodePosition = (of: string, cursor: string): number | undefined => {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const [, digits] = /^(0|[1-9][0-9]{0,14})\./.exec(text) ?? []
  if (digits === undefined || encodePosition(of, Number(digits)) !== cursor) return undefined
  return Number(digits)
}
