import * as z from 'zod'
import { id, instant } from '../../../core/primitives.ts'

/** Of one session. */
export const maxNotes = 5000
export const maxAnnotations = 1000
/** Characters that notes and annotations of one session may have together: what is signed and shown of them stays a short read. */
export const maxRemarkLetters = 1_000_000
/** Characters of a note, an annotation or a statement. */
const maxText = 5000

export const remarkText = z
  .string()
  .trim()
  .min(1)
  .max(maxText)
  .regex(/^[^\p{Bidi_C}]*$/u, 'must be without characters that control its direction')

/** Who wrote it, as they were called and what they were then. */
export const remarkAuthor = z.object({ name: z.string(), role: z.string() })

const atMs = z.number().int().min(0).meta({ description: 'milliseconds from the start of the session' })

export const anchor = z
  .union([z.strictObject({ atMs }), z.strictObject({ evidenceId: id('evd') }), z.strictObject({ eventId: id('obs') })])
  .meta({ description: 'a moment of this session, one of its evidence objects or one of its events' })

export const sessionNote = z
  .object({
    id: id('not'),
    text: z.string(),
    anchor: anchor.nullable().meta({ description: 'null where there is none, or what it pointed at was erased' }),
    author: remarkAuthor,
    createdAt: instant,
  })
  .meta({ id: 'Note' })
export const noteCreate = z.object({ text: remarkText, anchor: anchor.optional() })
