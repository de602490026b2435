import { describe, expect, it } from 'vitest'
import { exampleOf, meantOf, resolved, type Shape } from './example-value.ts'

const shapes = {
  Person: {
    type: 'object',
    required: ['email'],
    properties: { email: { type: 'string', format: 'email' }, nick: { type: 'string', maxLength: 3 } },
  },
} satisfies Record<string, Shape>
const person: Shape = { $ref: '#/components/schemas/Person' }

describe('an example', () => {
  it('has every field where it is read, and the least where it is sent', () => {
    expect(exampleOf(person, shapes)).toEqual({ email: 'ada@example.org', nick: 'tex' })
    expect(exampleOf(person, shapes, { sparse: true })).toEqual({ email: 'ada@example.org' })
  })

  it('keeps the bounds of what it is an example of', () => {
    expect(exampleOf({ type: 'integer', minimum: 5, maximum: 9 }, {})).toBe(5)
    expect(exampleOf({ type: 'integer', maximum: 0 }, {})).toBe(0)
    expect(String(exampleOf({ type: 'string', minLength: 12 }, {}, { name: 'other' }))).toHaveLength(12)
    expect(exampleOf({ type: 'array', items: { type: 'boolean' } }, {}, { sparse: true })).toEqual([])
    expect(exampleOf({ type: 'array', minItems: 1, items: { type: 'boolean' } }, {}, { sparse: true })).toEqual([true])
  })

  it('takes what the contract names before what it would make up', () => {
    expect(exampleOf({ type: 'string', const: 'one', enum: ['two'] }, {})).toBe('one')
    expect(exampleOf({ type: 'string', examples: ['shown'], enum: ['two'] }, {})).toBe('shown')
    expect(exampleOf({ type: 'string', enum: ['two', 'three'], default: 'three' }, {})).toBe('two')
    expect(exampleOf({ type: 'integer', default: 20 }, {})).toBe(20)
  })

  it('looks like what its name and its format say', () => {
    const named = (name: string, shape: Shape = { type: 'string' }) => exampleOf(shape, {}, { name })
    expect(named('createdAt')).toMatch(/^2\d{3}-\d\d-\d\dT/)
    expect(named('callbackUrl')).toMatch(/^https:/)
    expect(named('replyMail')).toContain('@')
    expect(named('id', { type: 'string', description: 'opaque id, prefix `ses_`' })).toMatch(/^ses_\w{26}$/)
    expect(named('sha256', { type: 'string', pattern: '^[0-9a-f]{64}$' })).toMatch(/^[0-9a-f]{64}$/)
  })

  it('is null only of what can be nothing else', () => {
    expect(exampleOf({ type: 'null' }, {})).toBeNull()
    expect(exampleOf({ type: ['null', 'boolean'] }, {})).toBe(true)
    expect(meantOf({ anyOf: [{ type: 'null' }, { type: 'string' }] })).toEqual({ type: 'string' })
    expect(meantOf({ allOf: [person] })).toBe(person)
  })

  it('refuses a reference to what the document does not hold', () => {
    expect(resolved(person, shapes)).toBe(shapes.Person)
    expect(() => exampleOf({ $ref: '#/components/schemas/Nobody' }, shapes)).toThrow('no schema Nobody')
  })
})
