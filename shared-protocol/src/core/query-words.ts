import * as z from 'zod'

/**
 * A comma-separated list of words of which all are known. A filter that took others would find nothing by them, which reads
 * as if there were nothing.
 */
export const wordsOf = (known: readonly string[], { most, also = [] }: { most: number; also?: readonly string[] }) =>
  z
    .string()
    .max(2000)
    .superRefine((text, ctx) => {
      if (also.includes(text)) return
      const words = text.split(',').map((word) => word.trim())
      if (words.length > most)
        ctx.addIssue({ code: 'custom', message: `must have at most ${most} values with commas between them` })
      const unknown = words.find((word) => !known.includes(word))
      if (unknown !== undefined)
        ctx.addIssue({ code: 'invalid_value', values: [...known, ...also], input: unknown, path: [] })
    })

/** One of so many words that types of them all would cost more than they tell. */
export const wordOf = (known: readonly string[]) =>
  z
    .string()
    .superRefine((word, ctx) => {
      if (!known.includes(word)) ctx.addIssue({ code: 'invalid_value', values: [...known], input: word, path: [] })
    })
    .meta({ enum: [...known] })

/** The id of something of that kind, in a query: any other text would find nothing, whatever there is. */
export const idFilter = (prefix: string, what: string) =>
  z
    .string()
    .max(64)
    .regex(new RegExp(`^${prefix}_[\\w-]+$`), `must be the id of ${what}, which begins with ${prefix}_`)
