import { catalogVersion } from './core/event.ts'
import { deliveryHeaders } from './delivery-headers.ts'
import { eventCatalog } from './domains/integrations/events/events.catalog.ts'
import { eventExample } from './event-examples.ts'
import { eventSchema } from './event-schemas.ts'
import { converter } from './json-schema.ts'
import { endpoint } from './registry.ts'

type Json = Record<string, unknown>

/** `https://host:1/below` as AsyncAPI has it in three fields. */
const serverOf = (serverUrl: string): Json => {
  const { protocol, host, pathname } = new URL(serverUrl)
  return { host, protocol: protocol.replace(':', ''), ...(pathname === '/' ? {} : { pathname }) }
}

const opened = endpoint('events.stream')

const ref = (path: string): Json => ({ $ref: `#/${path}` })
const types = eventCatalog.map(({ type }) => type)
const named = (make: (type: (typeof types)[number]) => Json): Json =>
  Object.fromEntries(types.map((type) => [type, make(type)]))

const messages = (): Json =>
  Object.fromEntries(
    eventCatalog.map(({ type, summary }) => [
      type,
      {
        name: type,
        title: type,
        summary,
        contentType: 'application/json',
        payload: ref(`components/schemas/${type}`),
        examples: [{ name: 'example', payload: eventExample(type) }],
      },
    ]),
  )

/** The same message as it is delivered: with the headers that sign it. */
const delivered = (): Json =>
  Object.fromEntries(
    Object.entries(messages()).map(([type, message]) => [
      type,
      { ...(message as Json), traits: [ref('components/messageTraits/delivery')] },
    ]),
  )

const channels = (): Json => ({
  webhooks: {
    title: 'Webhook deliveries',
    description:
      'One POST for each event to each address that asked for its type, at least once and in no promised order. The address is yours.',
    address: null,
    messages: delivered(),
  },
  stream: {
    title: 'Live stream',
    description: 'Server-sent events: `id` is the id of the event, `event` its type, `data` this message as one line.',
    address: opened.path,
    messages: named((type) => ref(`components/messages/${type}`)),
    servers: [ref('servers/service')],
  },
})

const operations = (): Json => ({
  deliver: {
    action: 'send',
    title: 'Deliver an event',
    summary: 'The service posts an event to the address of a webhook, and again until it answers 2xx.',
    channel: ref('channels/webhooks'),
    messages: types.map((type) => ref(`channels/webhooks/messages/${type}`)),
    bindings: { http: { method: 'POST' } },
  },
  stream: {
    action: 'send',
    title: 'Send the events of an open stream',
    summary: 'The service sends what happens, and first what happened since `Last-Event-ID`.',
    channel: ref('channels/stream'),
    messages: types.map((type) => ref(`channels/stream/messages/${type}`)),
    bindings: { http: { method: 'GET', query: converter(new Map())(opened.query, 'input') } },
    security: [ref('components/securitySchemes/apiKey')],
  },
})

/**
 * The AsyncAPI 3.0 document of everything that the service publishes: the event catalogue, by webhook and by stream.
 * @param serverUrl where this service is reached, as an absolute URL
 */
export const asyncApiDocument = (serverUrl = 'https://integrity.example'): Json => ({
  asyncapi: '3.0.0',
  info: {
    title: 'Interview Integrity Service: events',
    version: catalogVersion,
    description:
      'What happened in an interview, told by webhook and by stream. It reports observations; a person decides.',
    license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
  },
  defaultContentType: 'application/json',
  servers: { service: { ...serverOf(serverUrl), title: 'the service itself' } },
  channels: channels(),
  operations: operations(),
  components: {
    schemas: named(eventSchema),
    messages: messages(),
    messageTraits: { delivery: { headers: deliveryHeaders } },
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', description: 'An organisation API key with the scope `events:read`.' },
    },
  },
})
