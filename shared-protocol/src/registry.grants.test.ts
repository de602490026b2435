import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { EndpointSpec } from './core/endpoint.ts'
import { type GrantKind, grantKinds } from './core/grants.ts'
import { endpoints } from './registry.ts'

const all = endpoints as readonly EndpointSpec[]

interface Shape {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
  readonly allOf?: readonly Shape[]
  readonly $defs?: Readonly<Record<string, Shape>>
}

/** The dotted names of all texts in an answer. */
const textsIn = (schema: z.core.$ZodType): string[] => {
  const whole = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Shape
  const read = (shape: Shape, at: string, open: readonly string[]): string[] => {
    if (shape.$ref !== undefined) {
      const name = shape.$ref.split('/').at(-1) ?? ''
      return open.includes(name) ? [] : read(whole.$defs?.[name] ?? {}, at, [...open, name])
    }
    const inside = Object.entries(shape.properties ?? {}).map(([name, one]) => read(one, `${at}.${name}`, open))
    const others = [shape.anyOf, shape.oneOf, shape.allOf].flatMap((list) => list ?? [])
    return [
      ...(shape.type === 'string' ? [at] : []),
      ...inside.flat(),
      ...(shape.items ? read(shape.items, at, open) : []),
      ...others.flatMap((one) => read(one, at, open)),
    ]
  }
  return read(whole, '', [])
}

/** How a secret is called in answers; a new one is called so, too. */
const secretNames = /(secret|token|password|joinCode|recoveryCodes|downloadUrl|download\.url)$/i
/** The answer of a time-stamp authority (RFC 3161) is called so, and anybody may have it. */
const isProof = (name: string): boolean => name.endsWith('.stamped.token')
/** An endpoint whose address says that its answer is a link. */
const isLink = ({ path }: EndpointSpec) => path.endsWith('/download-url')

describe('what requests hand on', () => {
  it.each(all.map((spec) => ({ id: spec.id, spec })))('$id says so, where its answer holds a secret', ({ spec }) => {
    const secrets = textsIn(spec.response).filter((name) => secretNames.test(name) && !isProof(name))
    if (secrets.length > 0 || isLink(spec)) expect(spec.grants, secrets.join(', ')).toBeDefined()
  })

  it('is a sign-in where cookies are set by a write, but for the end of one', () => {
    const signIns = all.filter(({ setsCookies, effect }) => setsCookies && effect === 'write')
    const others = signIns.filter(({ grants }) => grants !== 'sign_in').map(({ id }) => id)
    expect(others).toEqual(['auth.logout'])
  })

  it('is a kind that has a sentence, and every kind has a way to it', () => {
    const used = new Set(all.flatMap(({ grants }) => grants ?? []))
    expect([...used].sort()).toEqual((Object.keys(grantKinds) as GrantKind[]).sort())
    for (const { summary } of Object.values(grantKinds)) expect(summary).toMatch(/^[A-Z].*\.$/)
  })

  it('is asked of members alone where it takes more than the permission of the endpoint', () => {
    for (const { id, grants, auth } of all) {
      if (grants === undefined || grantKinds[grants].asks === 'nothing_more') continue
      expect([id, ...auth.map(({ kind }) => kind)]).toEqual([id, 'user'])
    }
  })
})
