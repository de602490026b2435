import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { endpoints } from '../registry.ts'
import { bodyValuesOf, type EndpointSpec } from './endpoint.ts'

/** What a schema leaves open is reckoned with so many values. */
const openValues = 100

/** Of zod's definitions, the fields that are read here. */
interface Definition {
  readonly type: string
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>
  readonly catchall?: z.core.$ZodType
  readonly element?: z.core.$ZodType
  readonly options?: readonly z.core.$ZodType[]
  readonly items?: readonly z.core.$ZodType[]
  readonly in?: z.core.$ZodType
  readonly out?: z.core.$ZodType
  readonly innerType?: z.core.$ZodType
  readonly checks?: readonly {
    readonly _zod: { readonly def: { readonly check: string; readonly maximum?: number; readonly length?: number } }
  }[]
}

const longestOf = ({ checks = [] }: Definition): number | undefined => {
  for (const { _zod } of checks) {
    if (_zod.def.check === 'max_length') return _zod.def.maximum
    if (_zod.def.check === 'length_equals') return _zod.def.length
  }
  return undefined
}

/** The most values of the largest body that a schema takes. */
const mostOf = (schema: z.core.$ZodType): number => {
  const def = schema._zod.def as unknown as Definition
  const all = (schemas: readonly z.core.$ZodType[]) => schemas.reduce((sum, one) => sum + mostOf(one), 1)
  if (def.shape) return all(Object.values(def.shape)) + (def.catchall ? openValues : 0)
  if (def.element) return 1 + (longestOf(def) ?? openValues) * mostOf(def.element)
  if (def.options) return Math.max(...def.options.map(mostOf))
  if (def.items) return all(def.items)
  if (def.in) return Math.max(mostOf(def.in), def.out ? mostOf(def.out) : 0)
  if (def.innerType) return mostOf(def.innerType)
  return ['record', 'unknown', 'any', 'lazy', 'custom'].includes(def.type) ? openValues : 1
}

describe('the values that a body may hold', () => {
  const withBody = (endpoints as readonly EndpointSpec[]).filter(({ body, upload }) => body ?? upload)

  it.each(withBody.map((endpoint) => [endpoint.id, endpoint] as const))(
    'are enough for every body that %s takes',
    (_, endpoint) => {
      const schema = endpoint.upload?.meta ?? endpoint.body
      expect(mostOf(schema as z.core.$ZodType)).toBeLessThanOrEqual(bodyValuesOf(endpoint))
    },
  )

  it('are counted by the lists of a schema', () => {
    const of = (id: string) => mostOf(withBody.find((endpoint) => endpoint.id === id)!.body as z.core.$ZodType)
    expect(of('agent.transcript.upsert')).toBeGreaterThan(500 * 8)
    expect(of('scim.groups.create')).toBeGreaterThan(10_000)
  })
})
