import type { ErrorDetail } from '@integrity/protocol'
import * as z from 'zod'
import { longestName, nearestName } from '../../platform/nearest-name.ts'

/** So many are told at once; the others come to light with the next request. */
const mostTold = 100
const messageFor = (name: string, known: readonly string[]): string => {
  const meant = nearestName(name, known)
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
