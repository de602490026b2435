import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { EndpointSpec } from '../core/endpoint.ts'
import { eventCatalog } from '../domains/integrations/events/events.catalog.ts'
import { eventEnvelope } from '../domains/integrations/events/events.endpoints.ts'
import { eventExample } from '../event-examples.ts'
import { openApiDocument } from '../openapi.ts'
import { endpoint, endpoints } from '../registry.ts'
import { type ApiDocument, inputOf } from './document-examples.ts'
import { exampleOf } from './example-value.ts'
import { pythonLiteral, typescriptLiteral } from './literals.ts'
import { hasSamples, type SampleLanguage, sampleLanguages, sampleOf } from './samples.ts'

const document = openApiDocument() as unknown as ApiDocument
const called = (endpoints as readonly EndpointSpec[]).filter(hasSamples)

describe('a sample of the reference', () => {
  it.each(called.map((spec) => [spec.id, spec] as const))('sends to %s what the endpoint takes', (_, spec) => {
    const { body, query, params } = inputOf(document, spec)
    if (spec.body) expect(z.safeParse(spec.body, body ?? {}).error).toBeUndefined()
    if (spec.query && query) expect(z.safeParse(spec.query, query).error).toBeUndefined()
    for (const language of Object.keys(sampleLanguages) as SampleLanguage[]) {
      const program = sampleOf(language, spec, inputOf(document, spec))
      expect(program).not.toMatch(/undefined|\[object|\{\w+\}\//)
      for (const value of Object.values(params ?? {})) if (spec.kind !== 'sse') expect(program).toContain(value)
    }
  })

  it('spells values as its language does, and breaks long ones into lines', () => {
    const value = { a: [true, null, "it's", '"'], 'b-c': 'x'.repeat(60) }
    expect(typescriptLiteral(value)).toBe(`{\n  a: [true, null, 'it\\'s', '"'],\n  'b-c': '${'x'.repeat(60)}',\n}`)
    expect(pythonLiteral(value)).toBe(`{\n    "a": [True, None, "it's", "\\""],\n    "b-c": "${'x'.repeat(60)}",\n}`)
    expect([typescriptLiteral({}), pythonLiteral([])]).toEqual(['{}', '[]'])
  })

  it('ends a word of the shell where it means to', () => {
    const body = { reason: "it's over" }
    expect(sampleOf('curl', endpoint('sessions.end'), { params: { id: 'ses_1' }, body })).toContain(
      `-d '{"reason":"it'\\''s over"}'`,
    )
  })
})

describe('an example of an event', () => {
  it.each(eventCatalog.map((event) => [event.type, event.data] as const))(
    '%s is what the catalogue declares',
    (type, data) => {
      const envelope = eventEnvelope.parse(eventExample(type))
      expect(data.strict().parse(envelope.data)).toEqual(envelope.data)
    },
  )
})

describe('an example of a value', () => {
  it('ends where a shape holds itself', () => {
    const shapes = { Tree: { type: 'object', properties: { inner: { $ref: '#/components/schemas/Tree' } } } }
    expect(exampleOf({ $ref: '#/components/schemas/Tree' }, shapes)).toEqual({ inner: {} })
  })

  it('takes of one thing or nothing the thing', () => {
    expect(exampleOf({ anyOf: [{ type: 'null' }, { type: 'integer', minimum: 7 }] }, {})).toBe(7)
  })
})
