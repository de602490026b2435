/// <reference types="node" />
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Ajv, type AnySchemaObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { asyncApiDocument } from './asyncapi.ts'
import { type EventType, eventTypes } from './domains/integrations/events/events.catalog.ts'
import { eventExample } from './event-examples.ts'
import { eventSchemas } from './event-schemas.ts'

interface Ref {
  readonly $ref: string
}
interface Document {
  readonly asyncapi: string
  readonly servers: Record<string, Record<string, string>>
  readonly channels: Record<string, { readonly messages: Record<string, object> }>
  readonly operations: Record<string, { action: string; channel: Ref; messages: Ref[] }>
  readonly components: {
    schemas: Record<string, object>
    messages: Record<string, { name: string; payload: Ref; examples: { payload: unknown }[] }>
    messageTraits: Record<string, { headers: { properties: object } }>
  }
}
const documentOf = (serverUrl?: string) => asyncApiDocument(serverUrl) as unknown as Document

/** What a reference leads to, as RFC 6901 says; `undefined` where nothing is there. */
const target = (document: object, ref: string): unknown =>
  ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document)

/** Every reference in a value. */
const refsIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return []
  const own = '$ref' in value && typeof value.$ref === 'string' ? [value.$ref] : []
  return [...own, ...Object.values(value).flatMap(refsIn)]
}

const specification = resolve(import.meta.dirname, '../..', 'node_modules/@asyncapi/specs/schemas/3.0.0.json')
// It brings the schema of schemas along.
const ajv = new Ajv({ strict: false, allErrors: true, meta: false, validateSchema: false })
addFormats.default(ajv)
const fitsAsyncApi = ajv.compile(JSON.parse(readFileSync(specification, 'utf8')) as AnySchemaObject)

/**
 * What AsyncAPI has against a document: by its own schema, and what that cannot say: each reference leads somewhere, an
 * operation sends messages of its channel, an example fits its payload.
 */
const faultsOf = (document: Document): string[] => {
  const errors = fitsAsyncApi(document) === true ? [] : (fitsAsyncApi.errors ?? [])
  const against = errors.map(({ instancePath, message }) => `${instancePath}: ${message}`)
  const lost = refsIn(document).filter((ref) => target(document, ref) === undefined)
  const foreign = Object.values(document.operations).flatMap(({ channel, messages }) =>
    messages.filter(({ $ref }) => !$ref.startsWith(`${channel.$ref}/messages/`)),
  )
  if (against.length > 0 || lost.length > 0) return [...against, ...lost.map((ref) => `${ref}: nothing is there`)]
  const payloads = new Ajv2020({ strict: true })
  addFormats.default(payloads)
  const examples = Object.values(document.components.messages).flatMap(({ name, payload, examples: given }) => {
    const fits = payloads.compile(target(document, payload.$ref) as object)
    return given.filter((example) => !fits(example.payload)).map(() => `${name}: its example does not fit`)
  })
  return [...foreign.map(({ $ref }) => `${$ref}: of another channel`), ...examples]
}

describe('the AsyncAPI document', () => {
  it('fits the schema that AsyncAPI publishes, and each of its references leads somewhere', () => {
    const document = documentOf('https://integrity.example/service')
    expect(faultsOf(document)).toEqual([])
    expect(document.asyncapi).toBe('3.0.0')
    expect(document.servers['service']).toMatchObject({
      protocol: 'https',
      host: 'integrity.example',
      pathname: '/service',
    })
  })

  it('sends every type of event, by each of its operations', () => {
    const { operations, ...rest } = documentOf()
    expect(Object.entries(operations).map(([id, { action }]) => [id, action])).toEqual([
      ['deliver', 'send'],
      ['stream', 'send'],
    ])
    for (const [id, { messages }] of Object.entries(operations)) {
      const names = messages.map(({ $ref }) => {
        const message = target(rest, $ref) as { name?: string; $ref?: string }
        return message.name ?? (target(rest, message.$ref ?? '') as { name: string }).name
      })
      expect(names.sort(), id).toEqual([...eventTypes].sort())
    }
  })

  it('would be refused where a schema is none, a message is missing, of another channel or has a wrong example', () => {
    const broken = documentOf()
    broken.components.schemas['session.ended'] = { type: 'objekt' }
    expect(faultsOf(broken).join(' ')).toContain('/components/schemas/session.ended/type')
    const incomplete = documentOf()
    delete incomplete.components.messages['session.ended']
    expect(faultsOf(incomplete)).toEqual([expect.stringContaining('session.ended: nothing is there')])
    const foreign = documentOf()
    const [deliver, stream] = [foreign.operations['deliver']!, foreign.operations['stream']!]
    deliver.messages.push(...stream.messages.splice(0, 1))
    expect(faultsOf(foreign)).toEqual([expect.stringContaining('of another channel')])
    const wrong = documentOf()
    wrong.components.messages['session.ended']!.examples[0]!.payload = eventExample('webhook.test')
    expect(faultsOf(wrong)).toEqual(['session.ended: its example does not fit'])
  })

  it('names the headers of a delivery on what is delivered alone', () => {
    const document = documentOf()
    const delivery = document.components.messageTraits['delivery']?.headers.properties ?? {}
    expect(Object.keys(delivery)).toEqual(expect.arrayContaining(['X-Service-Signature', 'webhook-id']))
    const { webhooks, stream } = document.channels
    for (const message of Object.values(webhooks?.messages ?? {}))
      expect(refsIn(message)).toContain('#/components/messageTraits/delivery')
    expect(
      refsIn(Object.values(stream?.messages ?? {}).map(({ $ref }: { $ref?: string }) => target(document, $ref!))),
    ).not.toContain('#/components/messageTraits/delivery')
  })
})

describe('the JSON Schema of a type of event', () => {
  const payloads = new Ajv2020({ strict: true, allErrors: true })
  addFormats.default(payloads)
  const schemas = eventSchemas('https://integrity.example')
  const fits = Object.fromEntries(eventTypes.map((type) => [type, payloads.compile(schemas[type]!)]))

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
