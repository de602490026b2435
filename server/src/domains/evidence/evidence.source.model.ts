import { evidenceTypes } from '@integrity/protocol'
import type { CapturedRow } from './evidence.store.ts'

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
export const sourceOf = (row: CapturedRow, session: { readonly hasRoomCamera: boolean }): string => {
  const { lane } = evidenceTypes[row.evidenceType]
  if (lane === 'screen') {
    const { displayId } = toldBy(row)
    return typeof displayId === 'string' && displayId !== '' ? `screen:${displayId}` : lane
  }
  if (row.evidenceType !== 'camera_frame' || !session.hasRoomCamera) return lane
  return toldBy(row).sequence === undefined ? 'room_camera' : lane
}
