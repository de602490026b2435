import * as z from 'zod'

/** An opaque identifier: a kind prefix and a UUIDv7 in Crockford base32. Clients must not read anything from it. */
export const id = (prefix: string) =>
  z
    .string()
    .max(64)
    .meta({ description: `opaque id, prefix \`${prefix}_\`` })

export const environment = z.enum(['live', 'sandbox'])

/** ISO 8601; answers are always UTC with milliseconds, requests may carry an offset. */
export const instant = z.iso.datetime({ offset: true }).meta({ description: 'ISO 8601 instant' })

export const sha256Hex = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hexadecimal digits')
  .meta({ description: 'SHA-256 of the bytes, lower-case hex' })

/** The client's own id of an item; repeating it is a no-op. */
export const clientId = z
  .string()
  .min(8)
  .max(64)
  .regex(/^[A-Za-z0-9._:-]+$/, 'may hold letters, digits and . _ : -')
  .meta({ description: "the client's own id of this item (a UUID is good); a repeat is a no-op" })

/**
 * One line that people read. Control characters would break a mail header or a terminal; those that turn the direction of
 * what follows make one thing read like another (UTS 39).
 */
export const oneLine = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Bidi_C}]*$/u, 'must be one line, without characters that control its direction')

/** Free JSON fields. What arrives has come through JSON.parse, so that they are JSON needs no second look. */
export const freeObject = z.looseObject({}).meta({ description: 'free JSON fields' })

/** Free JSON of so many characters at most, stored as it is. */
export const freeDataOf = (most: number) =>
  freeObject.refine((value) => JSON.stringify(value).length <= most, `must be at most ${most} characters as JSON`)
export const freeData = freeDataOf(16_384)

export const paging = {
  limit: z.coerce.number().int().min(1).max(100).default(20).meta({ description: 'page size, 1 to 100' }),
  offset: z.coerce.number().int().min(0).max(1_000_000_000).default(0).meta({ description: 'rows to skip' }),
  cursor: z.string().min(1).max(1000).optional().meta({
    description:
      '`nextCursor` of the page before, with the same filters and instead of `offset`: stays as fast on later pages',
  }),
}
export const pagingQuery = z.object(paging)

/** Of a list that is short by nature: whole, unless a page of it is asked for. */
export const wholePagingQuery = z.object({
  ...paging,
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'page size, 1 to 100; all where it is left out' }),
})

/** The shape of every list. `total` counts all rows the filters match. */
export const listOf = <T extends z.ZodType, E extends z.ZodRawShape = Record<never, never>>(item: T, extra?: E) =>
  z.object({
    items: z.array(item),
    total: z.number().int().min(0),
    limit: z.number().int(),
    offset: z.number().int().meta({ description: 'rows before this page' }),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'the `cursor` that begins behind this page; null on the last one' }),
    ...((extra ?? {}) as E),
  })

export const deleted = z.object({ id: z.string(), deleted: z.literal(true) })
/** A body with no required field; it may also be absent. */
export const emptyBody = z.object({})
