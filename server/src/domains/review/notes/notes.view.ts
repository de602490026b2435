import { iso } from '../../../kernel/time.ts'
import type { NoteRow } from './notes.types.ts'

export const noteView = ({ id, text, anchor, authorName, authorRole, createdAt }: NoteRow) => ({
  id,
  text,
  anchor,
  author: { name: authorName, role: authorRole },
  createdAt: iso(createdAt),
})
