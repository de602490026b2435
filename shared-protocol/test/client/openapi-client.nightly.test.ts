import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startServer, type TestServer } from '../../../server/test/test-support/server.ts'
import { typeCheck } from '../../client/build/type-check.ts'
import { runNode } from './built-package.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const client = fileURLToPath(new URL('../../client/', import.meta.url))
const openApi = fileURLToPath(new URL('../../generated/openapi.json', import.meta.url))
/** Installed by `npm test -- --all` (scripts/test-run/test-tools.ts). */
const generatorTools = fileURLToPath(new URL('../generators/node_modules/', import.meta.url))
const tool = (path: string) => join(generatorTools, path)

interface Generator {
  readonly name: string
  /** Arguments for Node that write the client into the folder they are run in. */
  readonly args: readonly string[]
  readonly files?: Readonly<Record<string, string>>
  /** Prints total and ids of the first two scheduled sessions; a line below `@ts-expect-error` must not compile. */
  readonly consumer: string
  readonly options?: Parameters<typeof typeCheck>[1]
}

const environment = `
declare const process: { env: Record<string, string | undefined> }
const { BASE_URL = '', API_KEY = '' } = process.env
const headers = { authorization: \`Bearer \${API_KEY}\` }
`
const print = 'console.log(JSON.stringify({ total: page.total, ids: page.items.map(({ id }) => id) }))'

const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    args: [tool('openapi-typescript/bin/cli.js'), openApi, '-o', 'schema.ts'],
    consumer: `import createClient from 'openapi-fetch'
import type { components, paths } from './schema.ts'
${environment}
const client = createClient<paths>({ baseUrl: BASE_URL, headers })
const { data, error } = await client.GET('/v1/api/sessions', { params: { query: { limit: 2, state: 'scheduled' } } })
if (error) throw new Error(error.error.code)
const page: { total: number; items: components['schemas']['Session'][] } = data.data
${print}
// @ts-expect-error no such path
export const none = () => client.GET('/v1/api/none')
// @ts-expect-error a number is wanted
export const text = () => client.GET('/v1/api/sessions', { params: { query: { limit: 'many' } } })
// @ts-expect-error no such state
export const state = () => client.GET('/v1/api/sessions', { params: { query: { state: 'paused' } } })
// @ts-expect-error a download needs its token
export const bytes = () => client.GET('/v1/api/evidence/{id}/content', { params: { path: { id: 'evd_1' } } })
`,
  },
  {
    name: 'Hey API',
    args: [tool('@hey-api/openapi-ts/bin/run.js'), '-i', openApi, '-o', 'made'],
    // Its files name each other without an ending, and leave out no optional field.
    options: { exactOptionalPropertyTypes: false, noPropertyAccessFromIndexSignature: false },
    consumer: `import { client } from './made/client.gen'
import { evidenceContent, type Session, sessionsList } from './made'
${environment}
client.setConfig({ baseUrl: BASE_URL, headers })
const { data, error } = await sessionsList({ query: { limit: 2, state: 'scheduled' } })
if (error) throw new Error(error.error.code)
const page: { total: number; items: Session[] } = data.data
${print}
// @ts-expect-error a number is wanted
export const text = () => sessionsList({ query: { limit: 'many' } })
// @ts-expect-error no such state
export const state = () => sessionsList({ query: { state: 'paused' } })
// @ts-expect-error a download needs its token
export const bytes = () => evidenceContent({ path: { id: 'evd_1' } })
`,
  },
  {
    name: 'orval',
    args: [tool('orval/dist/bin/orval.mjs'), '--config', 'orval.config.mjs'],
    // A body that is JSON or bytes is sent as it is by what it writes: those of agents are left to our client.
    files: {
      'orval.config.mjs': `export default { api: {
  input: { target: ${JSON.stringify(openApi)}, filters: { mode: 'exclude', tags: ['agent'] } },
  output: { target: './made.ts', client: 'fetch', mode: 'single', override: { fetch: { includeHttpResponseReturnType: false } } },
} }
`,
    },
    options: { exactOptionalPropertyTypes: false },
    consumer: `import { getSessionsListUrl, sessionsList, type Session } from './made'
${environment}
const plain = globalThis.fetch
globalThis.fetch = (url, options) => plain(\`\${BASE_URL}\${url}\`, options)
const { data } = await sessionsList({ limit: 2, state: 'scheduled' }, { headers })
const page: { total: number; items: Session[] } = data
${print}
// @ts-expect-error a number is wanted
export const text = () => getSessionsListUrl({ limit: 'many' })
// @ts-expect-error no such state
export const state = () => getSessionsListUrl({ state: 'paused' })
`,
  },
]

let server: TestServer
let sessions: string[]
beforeAll(async () => {
  server = await startServer()
  const api = server.client(server.orgs[0].liveKey)
  sessions = []
  for (let n = 0; n < 3; n += 1) sessions.push((await api.call('sessions.create')).data.id)
})
afterAll(() => server?.stop())

describe.each(generators)('a client that $name made from the committed OpenAPI document', (generator) => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'openapi-client-'))
    await symlink(generatorTools, join(folder, 'node_modules'), 'junction')
    const files = { 'package.json': '{ "type": "module" }\n', 'consumer.ts': generator.consumer, ...generator.files }
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    const { code, output } = await runNode(process.execPath, [...generator.args], {}, folder).ended
    if (code !== 0) throw new Error(output)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('compiles at its strictest', () => {
    const lib = ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts']
    const options = { lib, types: [], allowImportingTsExtensions: true, ...generator.options }
    expect(typeCheck([join(folder, 'consumer.ts')], options, 'bundler')).toEqual([])
  })

  it('lists the sessions of a running server', async () => {
    const bundle = join(folder, 'bundle.mjs')
    const bundling = [
      join(client, 'node_modules/rolldown/bin/cli.mjs'),
      'consumer.ts',
      '--platform',
      'node',
      '--file',
      bundle,
    ]
    const made = await runNode(process.execPath, bundling, {}, folder).ended
    expect(made.code, made.output).toBe(0)
    const env = { BASE_URL: server.url, API_KEY: server.orgs[0].liveKey }
    const { code, output } = await runNode(process.execPath, [bundle], env, folder).ended
    expect(code, output).toBe(0)
    expect(JSON.parse(output)).toEqual({ total: 3, ids: sessions.toReversed().slice(0, 2) })
  })
})
