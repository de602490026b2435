import { invalid } from '@integrity/protocol'

/** Opaque to clients: up to which change of this session's transcript they know it. */
export const encodeCursor = (sessionId: string, changeSeq: number): string =>
  Buffer.from(`${changeSeq}.${sessionId}`, 'latin1').toString('base64url')

/** Refuses what `encodeCursor` did not make for this session. */
export const decodeCursor = (sessionId: string, cursor: string): number => {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const [, digits] = /^(0|[1-9][0-9]{0,14})\./.exec(text) ?? []
  if (digits === undefined || encodeCursor(sessionId, Number(digits)) !== cursor)
    throw invalid('since', "is not a cursor of this session's transcript")
  return Number(digits)
}
