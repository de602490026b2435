import { type EventType, eventCatalog } from './domains/integrations/events/events.catalog.ts'
import { eventExample } from './event-examples.ts'
import { wholeSchema } from './json-schema.ts'

type Json = Record<string, unknown>

/** What a webhook delivers and the stream sends for one type of event, around its `data`. */
export const envelopeSchema = (type: EventType, data: Json): Json => ({
  type: 'object',
  required: ['id', 'type', 'createdAt', 'apiVersion', 'catalogVersion', 'data'],
  properties: {
    id: { type: 'string' },
    type: { const: type },
    sessionId: { type: 'string' },
    createdAt: { type: 'string', format: 'date-time' },
    apiVersion: { const: 'v1' },
    catalogVersion: { type: 'string' },
    data,
  },
})

/** Where the schema of a type is served, below the service. */
export const eventSchemaPath = (type: EventType): string => `/schemas/events/${type}.json`

/** One type's events, in words that every draft of JSON Schema since 06 has, without a name of its own. */
export const eventSchema = (type: EventType): Json => {
  const { data } = eventCatalog.find((event) => event.type === type)!
  return envelopeSchema(type, wholeSchema(data))
}

/**
 * A JSON Schema (2020-12) for each type of event, by type; each stands alone. @param serverUrl where the service is
 * reached, so that `$id` is the address of the schema; without it `$id` is only a path
 */
export const eventSchemas = (serverUrl = ''): Record<string, Json> =>
  Object.fromEntries(
    eventCatalog.map(({ type, summary }) => [
      type,
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: `${serverUrl}${eventSchemaPath(type)}`,
        title: type,
        description: summary,
        ...eventSchema(type),
        examples: [eventExample(type)],
      },
    ]),
  )
