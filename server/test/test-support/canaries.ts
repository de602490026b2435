import * as z from 'zod'

interface Schema {
  readonly [word: string]: unknown
}
type Path = readonly (string | number)[]

export const canaryMark = 'c4nary'

/** Words that nobody else has, each with where it was planted. */
export interface Canaries {
  /** The value with a canary wherever its schema takes free words, in fields that the value leaves out too. */
  plant(schema: z.core.$ZodType, value: unknown, where: string): unknown
  /** Where a text holds which canaries. */
  placesIn(text: string): string[]
  readonly size: number
}

/** What a request only succeeds with: ids, and bytes in base64. */
const keptTexts = new Set([
  'joinCode',
  'requestId',
  'sessionId',
  'uploadId',
  'kind',
  'lane',
  'data',
  'contentType',
  'policyId',
  'assigneeId',
  'expectedAssigneeId',
  'moment',
  'momentId',
])

const asSchema = (value: unknown): Schema => (typeof value === 'object' && value !== null ? (value as Schema) : {})
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const changed = (value: unknown, path: Path, leaf: unknown): unknown => {
  const [first, ...rest] = path
  if (first === undefined) return leaf
  if (Array.isArray(value)) return value.map((item, index) => (index === first ? changed(item, rest, leaf) : item))
  const before = isObject(value) ? value : {}
  return { ...before, [first]: changed(before[first], rest, leaf) }
}

const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, step) => (inner as Record<string | number, unknown> | undefined)?.[step], value)

/** Every place where the schema has a text or free JSON, whether or not the value has it. */
function* textsOf(schema: Schema, value: unknown, path: Path): Generator<{ path: Path; free: boolean }> {
  const choices = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(choices)) for (const choice of choices) yield* textsOf(asSchema(choice), value, path)
  const isText = schema['type'] === 'string' && !('enum' in schema) && !('const' in schema)
  if (isText && !keptTexts.has(String(path.at(-1)))) yield { path, free: false }
  if (schema['type'] === 'array' && Array.isArray(value))
    for (const [index, item] of value.entries()) yield* textsOf(asSchema(schema['items']), item, [...path, index])
  if (schema['type'] !== 'object') return
  const properties = Object.entries(asSchema(schema['properties']))
  const more = schema['additionalProperties']
  if (properties.length === 0 && isObject(more) && Object.keys(more).length === 0) yield { path, free: true }
  for (const [name, field] of properties) yield* textsOf(asSchema(field), asSchema(value)[name], [...path, name])
}

export const createCanaries = (): Canaries => {
  const places = new Map<string, string>()
  const spellings = (canary: string): unknown[] => [canary, `${canary}@example.org`, `https://${canary}.example.org/`]
  return {
    plant(schema, value, where) {
      const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema
      let planted = value
      for (const { path, free } of textsOf(root, value, [])) {
        const canary = `${canaryMark}-${places.size}-x`
        const tries = free
          ? [{ ...asSchema(at(planted, path)), title: canary, deep: [{ name: canary }] }]
          : spellings(canary)
        const taken = tries
          .map((leaf) => changed(planted, path, leaf))
          .find((candidate) => z.safeParse(schema, candidate).success)
        if (taken === undefined) continue
        planted = taken
        places.set(canary, `${where} ${path.join('.')}`)
      }
      return planted
    },
    placesIn: (text) => {
      const found = [...text.matchAll(new RegExp(`${canaryMark}-\\d+-x`, 'g'))].map(([canary]) => canary)
      return [...new Set(found)].map((canary) => places.get(canary) ?? canary)
    },
    get size() {
      return places.size
    },
  }
}
