import { type AuthRule, scopes } from './core/auth.ts'
import { type EndpointSpec, mediaTypeOf, obeysKey, type UploadSpec } from './core/endpoint.ts'
import { errorCodes } from './core/errors.ts'
import { cookieNames } from './domains/access/auth/auth.schemas.ts'
import { eventCatalog } from './domains/integrations/events/events.catalog.ts'
import { eventExample } from './event-examples.ts'
import { envelopeSchema } from './event-schemas.ts'
import { type Convert, converter, type SharedSchemas } from './json-schema.ts'
import { descriptionOf } from './openapi-description.ts'
import { headerComponents, refusalsOf, responseComponents, scimError, successHeaders } from './openapi-responses.ts'
import { tagOf, tagsAndGroups } from './openapi-tags.ts'
import { endpoints } from './registry.ts'

type Json = Record<string, unknown>

const bytes = { type: 'string', format: 'binary' }
/** A file of JSON is JSON to whoever reads it. */
const fileSchema = (type: string): Json => (/[/+]json$/.test(type) ? { type: 'object' } : bytes)

const security = (rules: readonly AuthRule[]): Json[] =>
  rules.map((rule): Json => {
    if (rule.kind === 'anonymous') return {}
    if (rule.kind === 'api_key') return { apiKey: [rule.scope] }
    return { [rule.kind]: [] }
  })

/** What comes beside raw bytes, where JSON has it in the body. */
const rawParameters = ({ from, meta }: UploadSpec, schemaOf: Convert): Json[] => {
  const beside = (name: string, where: 'query' | 'header', more: Json): Json => ({
    name,
    in: where,
    required: false,
    description: 'beside raw bytes, which need it; JSON has it in its body',
    ...more,
  })
  if (from === 'frames') return []
  if (from === 'part') {
    const { properties } = schemaOf(meta, 'input') as { properties: Record<string, Json> }
    return [
      beside('index', 'query', { schema: { type: 'integer', minimum: 0 } }),
      beside('X-Service-Part-Sha256', 'header', { schema: properties['sha256'] }),
    ]
  }
  const { contentType: _type, ...shape } = (schemaOf(meta, 'input') as { properties: Record<string, Json> }).properties
  const required = (schemaOf(meta, 'input') as { required: string[] }).required.filter((name) => name in shape)
  const schema = { type: 'object', properties: shape, required }
  return [beside('X-Service-Evidence-Meta', 'header', { content: { 'application/json': { schema } } })]
}

const parametersOf = (endpoint: EndpointSpec, schemaOf: Convert): Json[] => {
  const parameters: Json[] = []
  for (const [, name] of endpoint.path.matchAll(/\{(\w+)\}/g))
    parameters.push({ name, in: 'path', required: true, schema: { type: 'string' } })
  if (endpoint.query) {
    const query = schemaOf(endpoint.query, 'input') as { properties?: Record<string, Json>; required?: string[] }
    for (const [name, schema] of Object.entries(query.properties ?? {}))
      parameters.push({ name, in: 'query', required: query.required?.includes(name) ?? false, schema })
  }
  if (endpoint.upload) parameters.push(...rawParameters(endpoint.upload, schemaOf))
  for (const [name, description] of Object.entries(endpoint.headers ?? {}))
    parameters.push({ name, in: 'header', required: false, description, schema: { type: 'string' } })
  if (obeysKey(endpoint)) parameters.push({ $ref: '#/components/parameters/IdempotencyKey' })
  return parameters
}

/** A request that a running server took, and what it answered. */
export interface RecordedExample {
  readonly request?: unknown
  readonly status?: number
  /** The whole body. */
  readonly answer?: unknown
}
/** By the id of the endpoint. */
export type RecordedExamples = Readonly<Record<string, RecordedExample>>

/** SCIM names a member by `$ref` as well, which makers of clients take for a part of the document to be fetched. */
const withoutRefs = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, inner: unknown) => (key === '$ref' ? undefined : inner))

const withExample = (content: Json, example: unknown): Json =>
  example === undefined ? content : { ...content, example: withoutRefs(example) }

const bodyOf = (endpoint: EndpointSpec, schemaOf: Convert, { request }: RecordedExample): Json | undefined => {
  if (!endpoint.body) return undefined
  const type = endpoint.form ? 'application/x-www-form-urlencoded' : mediaTypeOf(endpoint)
  const content: Json = { [type]: withExample({ schema: schemaOf(endpoint.body, 'input') }, request) }
  for (const raw of endpoint.upload?.contentTypes ?? []) content[raw] = { schema: bytes }
  return { required: endpoint.bodyOptional !== true, content }
}

/** One event as it stands in a stream. */
const streamExample = (): string => {
  const event = eventExample('session.ended')
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

const success = (endpoint: EndpointSpec, schemaOf: Convert, { answer }: RecordedExample): Json => {
  if (endpoint.kind === 'bytes')
    return Object.fromEntries((endpoint.mediaTypes ?? []).map((type) => [type, { schema: fileSchema(type) }]))
  if (endpoint.kind === 'sse') return { 'text/event-stream': { schema: { type: 'string' }, example: streamExample() } }
  const data = schemaOf(endpoint.response, 'output')
  if (endpoint.wire || endpoint.bare) return { [mediaTypeOf(endpoint)]: withExample({ schema: data }, answer) }
  const schema = { type: 'object', required: ['success', 'data'], properties: { success: { const: true }, data } }
  return { 'application/json': withExample({ schema }, answer) }
}

const responsesOf = (endpoint: EndpointSpec, schemaOf: Convert, example: RecordedExample): Json => {
  const responses: Json = {}
  for (const status of endpoint.success) {
    const headers = successHeaders(endpoint, status)
    responses[String(status)] =
      status === 304 || status === 204
        ? { description: status === 304 ? 'unchanged' : 'done', headers }
        : { description: endpoint.summary, headers, content: success(endpoint, schemaOf, example) }
  }
  return { ...responses, ...refusalsOf(endpoint) }
}

const operation = (endpoint: EndpointSpec, schemaOf: Convert, example: RecordedExample): Json => {
  const result: Json = {
    operationId: endpoint.id,
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    description: descriptionOf(endpoint),
    security: security(endpoint.auth),
    parameters: parametersOf(endpoint, schemaOf),
    responses: responsesOf(endpoint, schemaOf, example),
  }
  const body = bodyOf(endpoint, schemaOf, example)
  if (body) result['requestBody'] = body
  if (endpoint.deprecated) Object.assign(result, { deprecated: true, 'x-sunset': endpoint.deprecated.sunset })
  if (endpoint.emits) result['x-emits'] = endpoint.emits
  return result
}

const bearer = (description: string): Json => ({ type: 'http', scheme: 'bearer', description })

const securitySchemes: Json = {
  apiKey: bearer(`An organisation API key. Scopes: ${scopes.join(', ')}.`),
  agent: bearer('An agent join token or session token.'),
  companion: bearer("A phone's token."),
  room: bearer("A browser room's token."),
  scim: bearer('The token that an organisation made for its identity provider.'),
  assessment: {
    type: 'http',
    scheme: 'basic',
    description: 'The key of a connection for assessments as user name, and no password.',
  },
  user: { type: 'apiKey', in: 'cookie', name: cookieNames.access, description: 'A signed-in member.' },
  account: { type: 'apiKey', in: 'cookie', name: cookieNames.access, description: 'A signed-in person.' },
  desk_operator: {
    type: 'apiKey',
    in: 'cookie',
    name: cookieNames.access,
    description: 'A signed-in person whose address the operator of the service named (`ACCESS_DESK_OPERATORS`).',
  },
  refresh: { type: 'apiKey', in: 'cookie', name: cookieNames.refresh, description: 'For renewing a login.' },
  link: bearer('The token of a link that was sent by e-mail.'),
  download: { type: 'apiKey', in: 'query', name: 'token', description: 'The token of a download URL.' },
}

/** Problem details are told of in words: a second media type of each answer would be a second type of each error in clients. */
const components = (shared: SharedSchemas): Json => ({
  securitySchemes,
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'Repeating a write with the same key and body within 24 hours replays the first answer.',
      schema: { type: 'string', maxLength: 255 },
    },
  },
  headers: headerComponents,
  responses: responseComponents(),
  schemas: {
    ...Object.fromEntries([...shared].sort(([a], [b]) => a.localeCompare(b))),
    ScimError: scimError,
    Error: {
      description: 'Whoever sends `Accept: application/problem+json` gets the same as problem details (RFC 9457).',
      type: 'object',
      required: ['success', 'error', 'requestId'],
      properties: {
        success: { const: false },
        error: {
          type: 'object',
          required: ['code', 'message'],
          properties: {
            code: { enum: Object.keys(errorCodes) },
            message: { type: 'string', description: 'For people; may be reworded.' },
            details: {
              type: 'array',
              items: {
                type: 'object',
                required: ['path', 'message'],
                properties: { path: { type: 'string' }, message: { type: 'string' } },
              },
            },
          },
        },
        requestId: { type: 'string' },
      },
    },
  },
})

const webhookDocs = (schemaOf: Convert): Json =>
  Object.fromEntries(
    eventCatalog.map((event) => [
      event.type,
      {
        post: {
          operationId: `on.${event.type}`,
          summary: event.summary,
          requestBody: {
            content: {
              'application/json': {
                schema: envelopeSchema(event.type, schemaOf(event.data, 'output')),
                example: eventExample(event.type),
              },
            },
          },
          security: [],
          responses: { '200': { description: 'received' }, '400': { description: 'refused; it is sent again later' } },
        },
      },
    ]),
  )

const inOneLine = 'Consent-based evidence for remote interviews. It reports observations; a person decides.'

export interface DocumentOptions {
  /** The integrator's guide in Markdown; it becomes the first thing that readers of the document see. */
  readonly guide?: string
  /** Where this service is reached; relative where the document does not know. */
  readonly serverUrl?: string
  /** What a running server took and answered; without them bodies and answers have no examples. */
  readonly examples?: RecordedExamples
}

/** The OpenAPI 3.1 document of the whole registry. */
export const openApiDocument = ({ guide, serverUrl = '/', examples = {} }: DocumentOptions = {}): Json => {
  const shared: SharedSchemas = new Map()
  const schemaOf = converter(shared)
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints as readonly EndpointSpec[]) {
    const item = paths[endpoint.path] ?? {}
    item[endpoint.method.toLowerCase()] = operation(endpoint, schemaOf, examples[endpoint.id] ?? {})
    paths[endpoint.path] = item
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Interview Integrity Service',
      version: 'v1',
      description: guide === undefined ? inOneLine : `${inOneLine}\n\n${guide}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl, description: 'the service itself' }],
    ...tagsAndGroups(),
    paths,
    webhooks: webhookDocs(schemaOf),
    components: components(shared),
  }
}
