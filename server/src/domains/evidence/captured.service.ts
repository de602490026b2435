import { evidenceTypes } from '@integrity/protocol'
import type { Reads } from '../../kernel/call.ts'
import { type CapturedRow, listCaptured } from './captured.store.ts'

interface Told {
  readonly displayId?: unknown
  readonly sequence?: unknown
}

const toldBy = ({ metadata }: CapturedRow): Told => {
  if (metadata === null) return {}
  const told: unknown = JSON.parse(metadata)
  return typeof told === 'object' && told !== null ? told : {}
}

/**
 * What captured an item: `screen:<displayId>`, else the name of a lane. Whether a camera's picture is of the computer or of
 * the room no row says: agents number what they send, and the room's page does not.
 */
const sourceOf = (row: CapturedRow, hasRoomCamera: boolean): string => {
  const { lane } = evidenceTypes[row.evidenceType]
  if (lane === 'screen') {
    const { displayId } = toldBy(row)
    return typeof displayId === 'string' && displayId !== '' ? `screen:${displayId}` : lane
  }
  if (row.evidenceType !== 'camera_frame' || !hasRoomCamera) return lane
  return toldBy(row).sequence === undefined ? 'room_camera' : lane
}

/** When and by what each item of a session was captured, tombstones too. The caller has found the session. */
export const capturedOf = async (
  call: Reads,
  session: { readonly id: string; readonly hasRoomCamera: boolean },
): Promise<(Omit<CapturedRow, 'metadata'> & { readonly source: string })[]> => {
  const rows = await listCaptured(call.reader, call.scope, session.id)
  return rows.map((row) => {
    const { metadata: _, ...captured } = row
    return { ...captured, source: sourceOf(row, session.hasRoomCamera) }
  })
}
