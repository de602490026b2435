/// <reference types="node" />
import { Parser } from '@asyncapi/parser'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { asyncApiDocument } from './asyncapi.ts'
import { type EventType, eventTypes } from './domains/events/events.catalog.ts'
import { eventExample } from './event-examples.ts'
import { eventSchemas } from './event-schemas.ts'

/** Tools of today read 3.0; that 3.1 exists is no fault. */
const newerVersion = 'asyncapi-latest-version'

const parse = async (given: object) => {
  const { document, diagnostics } = await new Parser().parse(JSON.stringify(given))
  const problems = diagnostics.filter(({ code }) => code !== newerVersion)
  return { document, problems: problems.map(({ message, path }) => `${path.join('.')}: ${message}`) }
}

describe('the AsyncAPI document', () => {
  it('is taken by the parser of AsyncAPI without a remark', async () => {
    const { document, problems } = await parse(asyncApiDocument('https://integrity.example/service'))
    expect(problems).toEqual([])
    expect(document?.version()).toBe('3.0.0')
    expect(document?.servers().get('service')?.url()).toBe('https://integrity.example/service')
    const sent = document?.operations().all() ?? []
    expect(sent.map((operation) => [operation.id(), operation.action()])).toEqual([
      ['deliver', 'send'],
      ['stream', 'send'],
    ])
    for (const operation of sent) {
      const names = operation
        .messages()
        .all()
        .map((message) => message.name())
      expect(names.sort(), operation.id()).toEqual([...eventTypes].sort())
    }
  })

  it('is refused by that parser where a schema is none, and where a message is missing', async () => {
    const broken = asyncApiDocument() as { components: { schemas: Record<string, object> } }
    broken.components.schemas['session.ended'] = { type: 'objekt' }
    expect((await parse(broken)).problems.join(' ')).toContain('session.ended')
    const incomplete = asyncApiDocument() as { components: { messages: Record<string, unknown> } }
    delete incomplete.components.messages['session.ended']
    expect((await parse(incomplete)).problems.join(' ')).toContain('session.ended')
  })

  it('names the headers of a delivery on what is delivered alone', async () => {
    const { document } = await parse(asyncApiDocument())
    const headersOf = (operation: string) =>
      document?.operations().get(operation)?.messages().all()[0]?.headers()?.properties() ?? {}
    expect(Object.keys(headersOf('deliver'))).toEqual(expect.arrayContaining(['X-Service-Signature', 'webhook-id']))
    expect(headersOf('stream')).toEqual({})
  })
})

describe('the JSON Schema of a type of event', () => {
  const ajv = new Ajv2020({ strict: true, allErrors: true })
  addFormats.default(ajv)
  const schemas = eventSchemas('https://integrity.example')
  const fits = Object.fromEntries(eventTypes.map((type) => [type, ajv.compile(schemas[type]!)]))

  it('takes the example of its type and of no other', () => {
    for (const type of eventTypes)
      for (const other of eventTypes) expect(fits[type]!(eventExample(other)), `${type} ${other}`).toBe(type === other)
  })

  it('refuses an envelope without one of its fields and takes one with fields that it does not know', () => {
    const whole = eventExample('session.ended')
    for (const field of ['id', 'type', 'createdAt', 'apiVersion', 'catalogVersion', 'data'])
      expect(fits['session.ended']!({ ...whole, [field]: undefined }), field).toBe(false)
    const grown = { ...whole, more: 1, data: { ...whole.data, more: 1 } }
    expect(fits['session.ended']!(grown)).toBe(true)
  })

  it('stands alone, under the address at which it is served', () => {
    for (const type of eventTypes) {
      expect(JSON.stringify(schemas[type]), type).not.toContain('"$ref"')
      expect(schemas[type]!['$id']).toBe(`https://integrity.example/schemas/events/${type satisfies EventType}.json`)
    }
  })
})
