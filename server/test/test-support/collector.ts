import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface WireValue {
  readonly stringValue?: string
  readonly intValue?: number | string
}
interface WireAttribute {
  readonly key: string
  readonly value: WireValue
}
/** A span in the JSON encoding of OTLP. */
export interface WireSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes?: readonly WireAttribute[]
  readonly status?: { readonly code?: number }
}
interface WireTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly WireAttribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[]
  }[]
}

export interface Collector {
  readonly url: string
  /** Every body as it came. */
  readonly texts: readonly string[]
  spans(): readonly WireSpan[]
  resources(): readonly Readonly<Record<string, string | undefined>>[]
  stop(): Promise<void>
}

export const attributesOf = (attributes: readonly WireAttribute[] = []): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? String(value.intValue)] as const))

/** An OpenTelemetry collector as far as its HTTP receiver goes: OTLP as JSON at `/v1/traces`, anything else is refused. */
export const startCollector = async (): Promise<Collector> => {
  const texts: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const isOurs = request.method === 'POST' && request.url === '/v1/traces'
      if (!isOurs || request.headers['content-type'] !== 'application/json') return response.writeHead(415).end()
      texts.push(Buffer.concat(chunks).toString('utf8'))
      return response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bodies = () => texts.flatMap((text) => (JSON.parse(text) as WireTraces).resourceSpans)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    texts,
    spans: () => bodies().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    resources: () => bodies().map(({ resource }) => attributesOf(resource.attributes)),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
