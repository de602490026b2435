import type { Texts } from '@integrity/protocol/texts/en/phone'
import type { Reason } from '../session/session.types.ts'

/** What is said of each interruption. */
export const reasonTexts: Readonly<Record<Reason, keyof Texts>> = {
  background: 'reasonBackground',
  permission_denied: 'reasonPermission',
  camera_busy: 'reasonBusy',
  camera_missing: 'reasonMissing',
  no_picture: 'reasonNoPicture',
  storage_full: 'reasonStorage',
}
