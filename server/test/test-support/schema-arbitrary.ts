import fc from 'fast-check'
import * as z from 'zod'

interface Schema {
  readonly [word: string]: unknown
}
type Value = unknown

const asSchema = (value: unknown): Schema => (typeof value === 'object' && value !== null ? (value as Schema) : {})

const instants = fc.oneof(
  fc
    .date({ min: new Date('2026-09-04T09:56:00Z'), max: new Date('2026-09-04T10:04:00Z'), noInvalidDate: true })
    .map((d) => d.toISOString()),
  fc.constantFrom(
    '2026-09-04T12:00:00+02:00',
    '1970-01-01T00:00:00Z',
    '2026-09-04T10:00:00.000001Z',
    '9998-12-31T23:59:59Z',
  ),
)

const stringOf = (schema: Schema): fc.Arbitrary<string> => {
  if (schema['format'] === 'date-time') return instants
  if (typeof schema['pattern'] === 'string') return fc.stringMatching(new RegExp(schema['pattern']))
  const minLength = Number(schema['minLength'] ?? 0)
  const maxLength = Math.min(Number(schema['maxLength'] ?? 100), 2000)
  const edge = fc.constantFrom('a'.repeat(minLength), 'é'.repeat(maxLength), 'x'.repeat(maxLength))
  const plain = fc.string({ minLength, maxLength: Math.min(maxLength, Math.max(minLength, 60)), unit: 'grapheme' })
  return fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: edge })
}

const numberOf = (schema: Schema): fc.Arbitrary<number> => {
  const min = Number(schema['minimum'] ?? -1e6)
  const max = Number(schema['maximum'] ?? 1e9)
  const edges = fc.constantFrom(min, max)
  if (schema['multipleOf'] !== undefined) return edges
  if (schema['type'] !== 'integer') return fc.oneof(edges, fc.double({ min, max, noNaN: true }))
  return fc.oneof(edges, fc.integer({ min: Math.max(min, -(2 ** 31)), max: Math.min(max, 2 ** 31 - 1) }))
}

/** A `$ref` can lead back to itself (free JSON): the walk ends in something plain. */
const maxDepth = 6

const objectOf = (schema: Schema, root: Schema, depth: number): fc.Arbitrary<Value> => {
  const required = new Set((schema['required'] as string[] | undefined) ?? [])
  const fields: Record<string, fc.Arbitrary<Value>> = {}
  for (const [name, field] of Object.entries(asSchema(schema['properties'])))
    fields[name] = walk(asSchema(field), root, depth + 1)
  const requiredKeys = Object.keys(fields).filter((name) => required.has(name))
  const known = fc.record(fields, { requiredKeys, noNullPrototype: true })
  const more = schema['additionalProperties']
  if (typeof more !== 'object' || more === null) return known
  const names = schema['propertyNames']
    ? walk(asSchema(schema['propertyNames']), root, depth + 1)
    : fc.string({ maxLength: 20 })
  const extra = fc.dictionary(names as fc.Arbitrary<string>, walk(more as Schema, root, depth + 1), {
    maxKeys: 4,
    noNullPrototype: true,
  })
  return fc.tuple(known, extra).map(([a, b]) => ({ ...(b as object), ...(a as object) }))
}

const walk = (schema: Schema, root: Schema, depth: number): fc.Arbitrary<Value> => {
  if (depth > maxDepth) return fc.constantFrom<Value>(null, 1, 'deep')
  if (typeof schema['$ref'] === 'string') {
    const name = schema['$ref'].split('/').at(-1) ?? ''
    return walk(asSchema(schema['$ref'] === '#' ? root : asSchema(root['$defs'])[name]), root, depth + 1)
  }
  if ('const' in schema) return fc.constant(schema['const'])
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as Value[]))
  const choices = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(choices)) return fc.oneof(...choices.map((choice) => walk(asSchema(choice), root, depth + 1)))
  switch (schema['type']) {
    case 'object':
      return objectOf(schema, root, depth)
    case 'array': {
      const minLength = Number(schema['minItems'] ?? 0)
      const maxLength = Math.min(Number(schema['maxItems'] ?? 4), Math.max(minLength, 4))
      return fc.array(walk(asSchema(schema['items']), root, depth + 1), { minLength, maxLength })
    }
    case 'string':
      return stringOf(schema)
    case 'number':
    case 'integer':
      return numberOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

/** Values that the JSON Schema of a declared schema admits, its edges among them. */
export const validFor = (schema: z.core.$ZodType): fc.Arbitrary<Value> => {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema
  return walk(root, root, 0)
}

const nest = (depth: number): Value => {
  let value: Value = 1
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value }
  return value
}

/** What no field of any body expects, or not there. */
const strange = fc.constantFrom<Value>(
  null,
  true,
  -1,
  0,
  1.5,
  1e308,
  2 ** 53,
  -(2 ** 63),
  '',
  ' ',
  'x'.repeat(20_000),
  '\0',
  'a\0b',
  '\ud800',
  '\u202e\ufeff',
  '2026-02-30T00:00:00Z',
  '9999-12-31T23:59:59-23:59',
  '0000-01-01T00:00:00+23:59',
  [],
  {},
  [null],
  [[[[]]]],
  { toString: 1, constructor: null },
  nest(40),
)

type Place = readonly (string | number)[]
const placesOf = (value: Value, at: Place = []): Place[] =>
  typeof value === 'object' && value !== null
    ? [
        at,
        ...Object.entries(value).flatMap(([name, inner]) =>
          placesOf(inner, [...at, Array.isArray(value) ? Number(name) : name]),
        ),
      ]
    : [at]

const replaced = (value: Value, place: Place, by: Value, remove: boolean): Value => {
  const [name, ...rest] = place
  if (name === undefined) return by
  if (Array.isArray(value))
    return value.map((inner: Value, index) => (index === name ? replaced(inner, rest, by, remove) : inner))
  const fields = { ...(value as Record<string, Value>) }
  if (rest.length === 0 && remove) delete fields[name]
  else fields[name] = replaced(fields[name], rest, by, remove)
  return fields
}

/** Valid values with one place removed, replaced by something strange, or with something added. */
export const brokenFrom = (base: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  fc
    .tuple(
      base,
      fc.nat(),
      strange,
      fc.constantFrom('replace', 'replace', 'remove', 'add'),
      fc.constantFrom('extra', '__proto__', 'constructor', 'toString'),
    )
    .map(([value, pick, by, how, name]) => {
      const places = placesOf(value)
      const place = places[pick % places.length] ?? []
      if (how === 'add' && typeof value === 'object' && value !== null)
        return JSON.parse(
          `{${JSON.stringify(name)}:${JSON.stringify(by)},${JSON.stringify(value).slice(1)}`.replace(/,}$/, '}'),
        ) as Value
      return replaced(value, place, by, how === 'remove')
    })
