/** A JSON schema, as far as the document of the interface uses it. */
export interface Shape {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
  readonly allOf?: readonly Shape[]
  readonly additionalProperties?: boolean | Shape
}
export type Shapes = Readonly<Record<string, Shape>>

export const refName = ({ $ref }: Shape): string | undefined => $ref?.split('/').at(-1)

/** The shape behind a reference. */
export const resolved = (shape: Shape, shapes: Shapes): Shape => {
  const name = refName(shape)
  if (name === undefined) return shape
  const found = shapes[name]
  if (!found) throw new Error(`the document has no schema ${name}`)
  return found
}

/** Of one shape or the other, the first that is more than null. */
export const meantOf = (shape: Shape): Shape =>
  [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])].find(({ type }) => type !== 'null') ?? shape.allOf?.[0] ?? shape

const tail = '01k9s4m2r8v6x3w7y5z0abcdef'

const byName: Readonly<Record<string, string>> = {
  externalId: 'REQ-4711',
  candidateLabel: 'Candidate 12',
  name: 'Example',
  slug: 'example',
  label: 'Candidate 12',
  timeZone: 'Europe/Berlin',
  locale: 'en',
  language: 'en',
  contentType: 'image/webp',
  text: 'I measured it first.',
  reason: 'finished',
  catalogVersion: '2026-09-04',
}

const textOf = (name: string, { format, pattern, description = '', minLength = 0, maxLength = 200 }: Shape): string => {
  if (format === 'date-time') return '2027-09-06T09:00:00.000Z'
  if (format === 'date') return '2027-09-06'
  if (format === 'email' || /mail/i.test(name)) return 'ada@example.org'
  if (format === 'uri' || /url$/i.test(name)) return 'https://example.org/interviews'
  const prefix = /prefix `(\w+)_`/.exec(description)?.[1]
  if (prefix) return `${prefix}_${tail}`
  if (pattern?.includes('[0-9a-f]{64}')) return 'c0ffee'.padEnd(64, '0')
  if (/At$/.test(name)) return '2027-09-06T09:00:00.000Z'
  return (byName[name] ?? 'text').padEnd(minLength, 'x').slice(0, maxLength)
}

const numberOf = ({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Shape): number =>
  Math.min(Math.max(minimum, minimum > 0 ? minimum : 1), maximum)

interface Way {
  readonly shapes: Shapes
  /** True for what is sent: optional fields are left out. */
  readonly sparse: boolean
  /** Names of the shapes we are in: one that holds itself stops there. */
  readonly inside: readonly string[]
}

const objectOf = (shape: Shape, way: Way): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(shape.properties ?? {})
      .filter(([name]) => !way.sparse || shape.required?.includes(name))
      .map(([name, inner]) => [name, exampleIn(name, inner, way)]),
  )

const exampleIn = (name: string, shape: Shape, way: Way): unknown => {
  const ref = refName(shape)
  if (ref !== undefined) {
    if (way.inside.includes(ref)) return {}
    return exampleIn(name, resolved(shape, way.shapes), { ...way, inside: [...way.inside, ref] })
  }
  if ('const' in shape) return shape.const
  if (shape.examples) return shape.examples[0]
  if (shape.enum) return shape.enum[0]
  if (shape.default !== undefined) return shape.default
  const meant = meantOf(shape)
  if (meant !== shape) return exampleIn(name, meant, way)
  const type = typeof shape.type === 'string' ? shape.type : shape.type?.find((one) => one !== 'null')
  if (type === 'object' || shape.properties) return objectOf(shape, way)
  if (type === 'array')
    return shape.items && !(way.sparse && !shape.minItems) ? [exampleIn(name, shape.items, way)] : []
  if (type === 'integer' || type === 'number') return numberOf(shape)
  if (type === 'boolean') return true
  return type === 'null' ? null : textOf(name, shape)
}

/** A value of this shape as one may meet it; with `sparse`, the least that may be sent. */
export const exampleOf = (shape: Shape, shapes: Shapes, { sparse = false, name = 'text' } = {}): unknown =>
  exampleIn(name, shape, { shapes, sparse, inside: [] })
