import * as z from 'zod'

const count = z.number().int().min(0)

/** In an answer: which state of it that is. Each change makes a higher one; nothing else is to be read from the number. */
export const shownVersion = (of: string) => count.meta({ description: `of ${of}: higher with each change` })

/**
 * In the body of a write: the state that its writer has seen, so that nobody writes over a change that they have not read.
 * Whoever leaves it out writes over any.
 */
export const expectedVersion = count.optional().meta({
  description:
    'the `version` that the writer has seen; where somebody else has made a change since, the write is refused as a conflict whose `reason` is `changed`',
})
