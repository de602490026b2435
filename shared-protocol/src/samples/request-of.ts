import { type EndpointSpec, mediaTypeOf, obeysKey } from '../core/endpoint.ts'
import type { SampleInput } from './sample-inputs.ts'

/** A request as it goes over the wire, but for where the service is and who asks. */
export interface SampleRequest {
  readonly id: string
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly input: SampleInput
  readonly contentType: string | undefined
  readonly isWrite: boolean
  readonly kind: 'json' | 'bytes' | 'sse'
}

export const requestOf = (endpoint: EndpointSpec, input: SampleInput): SampleRequest => {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(input.params?.[name] ?? name),
  )
  const query = new URLSearchParams(
    Object.entries(input.query ?? {}).map(([name, value]) => [name, String(value)]),
  ).toString()
  return {
    id: endpoint.id,
    method: endpoint.method,
    path: query === '' ? path : `${path}?${query}`,
    input,
    contentType: input.body === undefined ? undefined : mediaTypeOf(endpoint),
    isWrite: obeysKey(endpoint),
    kind: endpoint.kind ?? 'json',
  }
}
