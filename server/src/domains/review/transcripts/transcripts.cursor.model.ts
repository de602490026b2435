import { invalid } from '@integrity/protocol'
import { decodePosition, encodePosition } from '../../../platform/cursor.ts'

/** Opaque to clients: up to which change of this session's transcript they know it. */
export const encodeCursor = (sessionId: string, changeSeq: number): string => encodePosition(sessionId, changeSeq)

/** Refuses what `encodeCursor` did not make for this session. */
export const decodeCursor = (sessionId: string, cursor: string): number => {
  const changeSeq = decodePosition(sessionId, cursor)
  if (changeSeq === undefined) throw invalid('since', "is not a cursor of this session's transcript")
  return changeSeq
}
