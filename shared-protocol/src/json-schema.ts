import * as z from 'zod'

type Json = Record<string, unknown>

/** Named schemas, gathered while a document is built and written once under `components`. */
export type SharedSchemas = Map<string, Json>
/** JSON Schema of a schema of the contract: of what may be sent (`input`) or of what is answered (`output`). */
export type Convert = (schema: z.core.$ZodType, io: 'input' | 'output') => Json

/** In the meta of a property: taken, but not in the document. */
const otherSpelling = 'x-other-spelling'

/** What zod adds by itself and a reader has no use for: the bounds of any safe integer, the pattern of a date-time. */
function withoutNoise(this: unknown, name: string, value: unknown): unknown {
  // Another spelling of a name beside it: makers of clients would give both the same name.
  if (typeof value === 'object' && value !== null && (value as Json)[otherSpelling] === true) return undefined
  if (name === 'minimum' && value === Number.MIN_SAFE_INTEGER) return undefined
  if (name === 'maximum' && value === Number.MAX_SAFE_INTEGER) return undefined
  if (name === 'pattern' && (this as Json)['format'] === 'date-time') return undefined
  return value
}

/** Converts to JSON Schema 2020-12; a named schema becomes a reference to `#/components/schemas/`. */
export const converter =
  (shared: SharedSchemas): Convert =>
  (schema, io) => {
    const made = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' })
    const text = JSON.stringify(made, withoutNoise)
    const { $schema: _s, $defs, ...rest } = JSON.parse(text.replaceAll('#/$defs/', '#/components/schemas/')) as Json
    for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Json>)) {
      const { id: _id, ...body } = definition
      shared.set(name, body)
    }
    const { id, ...body } = rest
    if (typeof id !== 'string') return rest
    shared.set(id, body)
    return { $ref: `#/components/schemas/${id}` }
  }

/**
 * The same in one piece, without references, which may be used by itself. It takes fields that it does not know, as `v1`
 * grows. Uses only words that draft-07 and 2020-12 have in common.
 */
export const wholeSchema = (schema: z.core.$ZodType): Json => {
  const made = z.toJSONSchema(schema, { io: 'output', reused: 'inline', unrepresentable: 'any', target: 'draft-7' })
  const { $schema: _s, ...rest } = JSON.parse(JSON.stringify(made, withoutNoise)) as Json
  return JSON.parse(JSON.stringify(rest), (name, value: unknown) =>
    name === 'additionalProperties' && value === false ? undefined : value,
  ) as Json
}
