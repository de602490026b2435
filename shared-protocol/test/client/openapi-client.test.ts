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

const consumer = `import createClient from 'openapi-fetch'
import type { components, paths } from './schema.ts'

declare const process: { env: Record<string, string | undefined> }
const { BASE_URL = '', API_KEY = '' } = process.env
const client = createClient<paths>({ baseUrl: BASE_URL, headers: { authorization: \`Bearer \${API_KEY}\` } })
const { data, error } = await client.GET('/v1/api/sessions', { params: { query: { limit: 2, state: 'scheduled' } } })
if (error) throw new Error(error.error.code)
const sessions: components['schemas']['Session'][] = data.data.items
console.log(JSON.stringify({ total: data.data.total, ids: sessions.map(({ id }) => id) }))

// @ts-expect-error no such path
export const none = () => client.GET('/v1/api/none')
// @ts-expect-error a number is wanted
export const text = () => client.GET('/v1/api/sessions', { params: { query: { limit: 'many' } } })
// @ts-expect-error no such state
export const state = () => client.GET('/v1/api/sessions', { params: { query: { state: 'paused' } } })
`

describe('a client generated from the committed OpenAPI document', () => {
  let folder: string
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
    folder = await mkdtemp(join(tmpdir(), 'openapi-client-'))
    await symlink(join(client, 'node_modules'), join(folder, 'node_modules'), 'junction')
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n')
    await writeFile(join(folder, 'consumer.ts'), consumer)
    const tool = join(client, 'node_modules/openapi-typescript/bin/cli.js')
    const args = [tool, openApi, '-o', join(folder, 'schema.ts')]
    const { code, output } = await runNode(process.execPath, args, {}, folder).ended
    if (code !== 0) throw new Error(output)
  })
  afterAll(async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('compiles at its strictest', () => {
    const lib = ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts']
    const options = { lib, types: [], allowImportingTsExtensions: true }
    expect(typeCheck([join(folder, 'consumer.ts')], options)).toEqual([])
  })

  it('lists the sessions of a running server', async () => {
    const key = server.orgs[0].liveKey
    const ids: string[] = []
    for (let n = 0; n < 3; n += 1) ids.push((await server.client(key).call('sessions.create')).data.id)
    const env = { BASE_URL: server.url, API_KEY: key }
    const { code, output } = await runNode(process.execPath, [join(folder, 'consumer.ts')], env, folder).ended
    expect(code, output).toBe(0)
    expect(JSON.parse(output)).toEqual({ total: 3, ids: ids.reverse().slice(0, 2) })
  })
})
