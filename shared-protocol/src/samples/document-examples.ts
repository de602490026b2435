import type { EndpointSpec } from '../core/endpoint.ts'
import type { EndpointId } from '../registry.ts'
import { exampleOf, type Shape, type Shapes } from './example-value.ts'
import { type SampleInput, sampleInputs } from './sample-inputs.ts'

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Shape }>>
}
export interface Parameter {
  readonly name?: string
  readonly in?: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Shape
}
/** What the document says of one endpoint or event. */
export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content & { readonly description?: string }>>
}
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: { readonly schemas: Shapes }
}

const jsonOf = ({ content = {} }: Content): Shape | undefined =>
  Object.entries(content).find(([type]) => type.includes('json'))?.[1].schema

export const bodyShape = ({ requestBody }: Operation): Shape | undefined => requestBody && jsonOf(requestBody)
export const answerShape = ({ responses }: Operation): Shape | undefined => {
  const success = Object.keys(responses).find((status) => status.startsWith('2'))
  return success === undefined ? undefined : jsonOf(responses[success] ?? {})
}

export const operationOf = (document: ApiDocument, { path, method }: EndpointSpec): Operation => {
  const found = document.paths[path]?.[method.toLowerCase()]
  if (!found) throw new Error(`the document has no ${method} ${path}`)
  return found
}

const prefixes: Readonly<Record<string, string>> = {
  sessions: 'ses',
  evidence: 'evd',
  compositions: 'cmp',
  webhooks: 'whk',
  deliveryId: 'dlv',
  sandbox: 'ses',
  orgId: 'org',
}

const paramOf = (endpoint: EndpointSpec, name: string): string => {
  const prefix = prefixes[name] ?? (name === 'id' ? prefixes[endpoint.id.split('.')[0] ?? ''] : undefined) ?? 'id'
  return `${prefix}_01k9s4m2r8v6x3w7y5z0abcdef`
}

/** A request as the reference shows it. */
export const inputOf = (document: ApiDocument, endpoint: EndpointSpec): SampleInput => {
  const given = sampleInputs[endpoint.id as EndpointId] ?? {}
  const shape = bodyShape(operationOf(document, endpoint))
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const body =
    given.body ??
    (shape && (exampleOf(shape, document.components.schemas, { sparse: true }) as Record<string, unknown>))
  return {
    params: Object.fromEntries(names.map((name) => [name, paramOf(endpoint, name)])),
    ...(given.query ? { query: given.query } : {}),
    ...(body ? { body } : {}),
  }
}
