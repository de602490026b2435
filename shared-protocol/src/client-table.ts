import type { EndpointSpec } from './core/endpoint.ts'
import { errorCodes } from './core/errors.ts'
import { packLimits, packMediaType } from './domains/recording/packs/packs.schemas.ts'
import { type EndpointId, endpoint, endpoints } from './registry.ts'

/** Kinds of credential that an integrator or a capture client holds. */
const kinds = new Set(['api_key', 'agent', 'companion', 'room', 'download'])
const open = new Set(['health.live', 'health.ready', 'agent.sessions.join'])

const inClient = (spec: EndpointSpec): boolean => open.has(spec.id) || spec.auth.some(({ kind }) => kinds.has(kind))

/** What a client must know of an endpoint to send its request: method, path, and what is unusual about it. */
const row = (spec: EndpointSpec): string => {
  const kind = spec.upload ? `upload-${spec.upload.from}` : (spec.kind ?? 'json')
  return [spec.method, spec.path, ...(kind === 'json' ? [] : [kind])].join(' ')
}

/** The source of a client's table of endpoints, which keeps the schemas out of what a page or a phone loads. */
const tableSource = (
  name: string,
  specs: readonly EndpointSpec[],
): string => `// Generated from the registry by \`npm run generate\`.
/** Method, path, and the kind of what is sent or answered where it is not JSON. */
export const ${name} = {
${specs.map((spec) => `  '${spec.id}': '${row(spec)}',`).join('\n')}
} as const
`

const all = endpoints as readonly EndpointSpec[]

const ofClient = all.filter(inClient)

/** Of the client library. */
export const clientTable = (): string => tableSource('endpointTable', ofClient)

/** What the client library can call. */
export const clientEndpointIds = (): EndpointId[] => ofClient.map(({ id }) => id as EndpointId)

export const everyEndpointTable = (): string => tableSource('everyEndpoint', all)

/** Of a client that calls a few. */
export const pickedTable = (ids: readonly EndpointId[]): string =>
  tableSource(
    'endpointTable',
    [...new Set(ids)].map((id) => endpoint(id)),
  )

const constant = (name: string, value: string, said = ''): string =>
  `${said && `/** ${said} */\n`}export const ${name} = ${value}\n`

const statuses = Object.entries(errorCodes).map(([code, { status }]) => `  ${code}: ${status},\n`)

/** What the client library must know of packs and refusals at run time, without the contract's schemas. */
export const packContract = (): string =>
  [
    '// Generated from the contract by `npm run generate`.\n',
    constant('packMediaType', `'${packMediaType}'`),
    constant(
      'packLimits',
      `{ items: ${packLimits.items}, bytes: ${packLimits.bytes} } as const`,
      'What the service takes in one request.',
    ),
    constant(
      'statusByCode',
      `{\n${statuses.join('')}} as const`,
      'The status with which an endpoint of one item answers each code.',
    ),
  ].join('')
