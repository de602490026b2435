import { iso, isoOrNull } from '../../../kernel/time.ts'
import type { RecipientRow } from './recipients.types.ts'

export const recipientView = ({ addedAt, removedAt, ...row }: RecipientRow) => ({
  ...row,
  addedAt: iso(addedAt),
  removedAt: isoOrNull(removedAt),
})
