import type { ErrorDetail } from '@integrity/protocol'
import * as z from 'zod'

/** So many are told at once; the others come to light with the next request. */
const mostTold = 100
/** What is longer is no slip of the pen, and is not repeated whole. */
const longestName = 64

/** How many letters must be put in, taken out, replaced or swapped with their neighbour (optimal string alignment). */
const distance = (a: string, b: string): number => {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_column, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const [above, row] = [rows[i - 1]!, [i]]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const changed = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + cost)
      row.push(swapped ? Math.min(changed, rows[i - 2]![j - 2]! + 1) : changed)
    }
    rows.push(row)
  }
  return rows.at(-1)!.at(-1)!
}

/** `external_id` and `External-Id` are `externalId` in another dialect. */
const bare = (name: string): string => name.toLowerCase().replaceAll(/[_\-. ]/g, '')

/** The known name that was most likely meant; `undefined` when none is near. */
const nearest = (name: string, known: readonly string[]): string | undefined => {
  if (name.length > longestName) return undefined
  const given = bare(name)
  const most = Math.max(1, Math.floor(given.length / 3))
  const [best] = known
    .map((candidate) => ({ candidate, away: distance(given, bare(candidate)) }))
    .sort((a, b) => a.away - b.away)
  return best && best.away <= most ? best.candidate : undefined
}

const messageFor = (name: string, known: readonly string[]): string => {
  const meant = nearest(name, known)
  if (meant !== undefined) return `is not known here; did you mean ${meant}?`
  return known.length === 0
    ? 'is not known here, where nothing is asked for'
    : `is not known; known here: ${known.join(', ')}`
}

type Schema = z.core.$ZodType

/** The schema inside what only makes it optional, fills it in or carries it on. */
const inner = (schema: Schema): Schema => {
  let at = schema
  for (;;) {
    if (at instanceof z.core.$ZodPipe) at = at._zod.def.in
    else if ('innerType' in at._zod.def) at = at._zod.def.innerType as Schema
    else return at
  }
}

/** The objects that a value may be: one, or those of a union. */
const objectsOf = (schema: Schema): z.core.$ZodObject[] => {
  const at = inner(schema)
  if (at instanceof z.core.$ZodObject) return [at]
  return at instanceof z.core.$ZodUnion ? at._zod.def.options.flatMap(objectsOf) : []
}

/** Of a union those that a literal of theirs does not rule out, such as `provider`; all where none is left. */
const meantBy = (value: object, objects: readonly z.core.$ZodObject[]): readonly z.core.$ZodObject[] => {
  if (objects.length < 2) return objects
  const left = objects.filter(({ _zod: { def } }) =>
    Object.entries(def.shape).every(([name, field]) => {
      const at = inner(field)
      const given = (value as Readonly<Record<string, unknown>>)[name]
      return !(at instanceof z.core.$ZodLiteral) || (at._zod.def.values as readonly unknown[]).includes(given)
    }),
  )
  return left.length > 0 ? left : objects
}

const walkObject = (
  objects: readonly z.core.$ZodObject[],
  value: object,
  path: readonly string[],
  told: ErrorDetail[],
): void => {
  const shapes = objects.map((object) => object._zod.def.shape)
  const open = objects.some(({ _zod: { def } }) => def.catchall && !(def.catchall instanceof z.core.$ZodNever))
  const known = [...new Set(shapes.flatMap((shape) => Object.keys(shape)))]
  for (const [name, field] of Object.entries(value)) {
    if (told.length >= mostTold) return
    const fields = shapes.flatMap((shape) => (Object.hasOwn(shape, name) ? [shape[name]!] : []))
    if (fields.length === 0 && !open)
      told.push({ path: [...path, name.slice(0, longestName)].join('.'), message: messageFor(name, known) })
    for (const schema of fields) walk(schema, field, [...path, name], told)
  }
}

const walk = (schema: Schema, value: unknown, path: readonly string[], told: ErrorDetail[]): void => {
  if (typeof value !== 'object' || value === null) return
  const at = inner(schema)
  if (Array.isArray(value)) {
    if (at instanceof z.core.$ZodArray)
      for (const [index, item] of value.entries()) walk(at._zod.def.element, item, [...path, String(index)], told)
    return
  }
  if (at instanceof z.core.$ZodRecord)
    for (const [name, field] of Object.entries(value)) walk(at._zod.def.valueType, field, [...path, name], told)
  const objects = objectsOf(at)
  if (objects.length > 0) walkObject(meantBy(value, objects), value, path, told)
}

/** Names in a body or a query that its schema does not have, at any depth: each with its path and what was likely meant. */
export const unknownNames = (schema: Schema, value: unknown): ErrorDetail[] => {
  const told: ErrorDetail[] = []
  walk(schema, value, [], told)
  return told
}
