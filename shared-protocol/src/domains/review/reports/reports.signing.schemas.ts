import * as z from 'zod'
import { id, instant, sha256Hex } from '../../../core/primitives.ts'
import { remarkAuthor, remarkText } from '../notes/notes.schemas.ts'
import { annotationMeanings } from './coverage.schemas.ts'

export const signOff = z.object({
  statement: remarkText.optional().meta({ description: 'what the signer says beside the report' }),
  expectedRevision: z.number().int().min(0).max(1_000_000).meta({
    description: 'the newest revision that the signer has seen, 0 while there is none; another is a conflict',
  }),
  acknowledgeUnread: z.literal(true).optional().meta({
    description: 'signs although a statement of the candidate is unread, which is a conflict without it',
  }),
})

/** A signed-off report: what it said then, under the name and role of who signed, for good. */
export const reportRevision = z
  .object({
    revision: z.number().int().min(1),
    sha256: sha256Hex.meta({ description: 'SHA-256 of the canonical JSON (RFC 8785) of the report as it was signed' }),
    sha256AfterErasure: sha256Hex.optional().meta({
      description:
        "of the same report once the candidate's words are erased; absent where it holds none, and erasing leaves it as it is",
    }),
    statement: z.string().nullable(),
    signedOffAt: instant,
    signedOffBy: remarkAuthor,
    supersedes: z.number().int().nullable().meta({ description: 'the revision before it; null for the first' }),
  })
  .meta({ id: 'ReportRevision' })

/** Of one moment: by its id, or by its time. */
export const annotationCreate = z
  .object({
    momentId: id('mom').optional(),
    at: instant.optional(),
    meaning: z.enum(annotationMeanings).meta({
      description: '`benign`: there is a harmless reason; `needs_context`: somebody has to be asked',
    }),
    text: remarkText,
  })
  .refine(({ momentId, at }) => (momentId === undefined) !== (at === undefined), {
    path: ['momentId'],
    message: 'name the moment either by `momentId` or by `at`',
  })
