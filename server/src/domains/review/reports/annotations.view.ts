import type { annotationMeanings } from '@integrity/protocol'
import { iso, isoOrNull } from '../../../kernel/time.ts'
import type { AnnotationRow } from '../notes/notes.types.ts'

export const annotationView = ({ id, meaning, text, anchor, authorName, authorRole, createdAt }: AnnotationRow) => ({
  id,
  momentId: anchor?.momentId ?? null,
  at: isoOrNull(anchor?.at ?? null),
  meaning: meaning as (typeof annotationMeanings)[number],
  text,
  author: { name: authorName, role: authorRole },
  createdAt: iso(createdAt),
})
