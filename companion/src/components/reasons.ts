import type { Reason } from '../session/session.types.ts'
import type { PhoneText } from '../texts/phone.ts'

/** What is said of each interruption. */
export const reasonTexts: Readonly<Record<Reason, PhoneText>> = {
  background: 'reasonBackground',
  permission_denied: 'reasonPermission',
  camera_busy: 'reasonBusy',
  camera_missing: 'reasonMissing',
  no_picture: 'reasonNoPicture',
  storage_full: 'reasonStorage',
}
