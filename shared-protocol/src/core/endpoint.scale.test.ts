/// <reference types="node" />
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const source = path.join(root, 'shared-protocol', 'src')
const client = path.join(root, 'shared-protocol', 'client', 'src')
const domains = 25
const perDomain = 10

const endpointText = (domain: number, n: number): string => `  defineEndpoint({
    id: 'domain${domain}.verb${n}',
    method: 'POST',
    path: '/v1/domain${domain}/{id}/verb${n}/{partId}',
    summary: 'A synthetic endpoint.',
    auth: [apiKey('sessions:write'), agent],
    query: z.object({ ...paging, only${n}: z.enum(['a', 'b']).optional() }),
    body: z.object({ name: z.string().max(10), nested: z.object({ at: instant, n${n}: z.number().optional() }), list: z.array(item) }),
    response: listOf(item, { field${n}: z.literal(${n}) }),
    success: [201, 200],
    effect: 'write',
  }),`

const domainText = (domain: number): string => `import * as z from 'zod'
import { agent, apiKey } from '${source}/core/auth.ts'
import { defineEndpoint } from '${source}/core/endpoint.ts'
import { id, instant, listOf, paging } from '${source}/core/primitives.ts'
const item = z.object({ id: id('itm'), kind${domain}: z.string(), at: instant, tags: z.array(z.string()).nullable() })
export const endpoints${domain} = [
${Array.from({ length: perDomain }, (_, n) => endpointText(domain, n)).join('\n')}
] as const
`

const every = <T>(of: (domain: number) => T): T[] => Array.from({ length: domains }, (_, domain) => of(domain))

/** As the registry, the client and the server's map of handlers use the declarations. */
const registryText = `import type { InputOf } from '${client}/calls.ts'
import type { DeclaredTypes } from '${client}/contract-types.ts'
import type { BodyOf, DataOf, ParamsOf, QueryOf, ResultOf } from '${source}/core/endpoint.ts'
${every((domain) => `import { endpoints${domain} } from './domain${domain}.ts'`).join('\n')}
export const endpoints = Object.freeze([
${every((domain) => `  ...endpoints${domain},`).join('\n')}
] as const)
type Declared = (typeof endpoints)[number]
export type EndpointId = Declared['id']
export type EndpointMap = { readonly [E in Declared as E['id']]: E }
export type Handlers = {
  readonly [Id in EndpointId]: (call: {
    params: ParamsOf<EndpointMap[Id]>
    query: QueryOf<EndpointMap[Id]>
    body: BodyOf<EndpointMap[Id]>
  }) => Promise<DataOf<EndpointMap[Id]>>
}
export declare const call: <Id extends EndpointId>(id: Id, input: InputOf<DeclaredTypes<EndpointMap[Id]>>) => Promise<ResultOf<EndpointMap[Id]>>
`

const handlerText = (domain: number, n: number): string =>
  `  'domain${domain}.verb${n}': async ({ params, query, body }) => ({ items: [{ id: params.id, kind${domain}: body.name, at: body.nested.at, tags: [params.partId] }], total: 1, limit: query.limit, offset: query.offset, nextCursor: null, field${n}: ${n} }),`

const handlersText = (): string => `import type { Handlers } from './registry.ts'
export const handlers: Handlers = {
${every((domain) => Array.from({ length: perDomain }, (_, n) => handlerText(domain, n)))
  .flat()
  .join('\n')}
}
`

const inputText = `{ params: { id: 'a', partId: 'b' }, query: { only3: 'a' }, body: { name: 'x', nested, list: [] } }`
const callsText = (): string => `import { call } from './registry.ts'
const nested = { at: '2026-09-04T10:00:00Z' }
export const answers = async () => [
${every((domain) => `  (await call('domain${domain}.verb3', ${inputText})).field3,`).join('\n')}
]
`

/** Each of these lines must be an error; the compiler complains about one that is not. */
const mistakesText = `import { handlers } from './handlers.ts'
import { call, type Handlers } from './registry.ts'
const nested = { at: '2026-09-04T10:00:00Z' }
const { 'domain7.verb4': _left, ...rest } = handlers
// @ts-expect-error a handler is missing
export const incomplete: Handlers = rest
// @ts-expect-error a handler answers for another endpoint
export const mixed: Handlers = { ...rest, 'domain7.verb4': handlers['domain8.verb5'] }
export const wrong = async () => [
  // @ts-expect-error the answer has no such field
  (await call('domain7.verb3', ${inputText})).field4,
  // @ts-expect-error a parameter is missing
  await call('domain7.verb3', { params: { id: 'a' }, body: { name: 'x', nested, list: [] } }),
  // @ts-expect-error no such endpoint
  await call('domain7.verb99', ${inputText}),
]
`

describe('250 endpoints', () => {
  let folder = ''
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text)

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'integrity-scale-'))
    const zod = realpathSync(path.join(root, 'shared-protocol', 'node_modules', 'zod'))
    mkdirSync(path.join(folder, 'node_modules'))
    symlinkSync(zod, path.join(folder, 'node_modules', 'zod'), 'junction')
    const compilerOptions = {
      composite: false,
      emitDeclarationOnly: false,
      declaration: false,
      noEmit: true,
      rewriteRelativeImportExtensions: false,
      types: [],
      lib: ['es2024', 'dom', 'dom.iterable'],
    }
    write('package.json', JSON.stringify({ type: 'module' }))
    write(
      'tsconfig.json',
      JSON.stringify({ extends: path.join(root, 'tsconfig.base.json'), compilerOptions, include: ['*.ts'] }),
    )
    for (let domain = 0; domain < domains; domain++) write(`domain${domain}.ts`, domainText(domain))
    write('registry.ts', registryText)
    write('handlers.ts', handlersText())
    write('calls.ts', callsText())
    write('mistakes.ts', mistakesText)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('compile with a typed handler for each and typed calls, and mistakes in them do not', () => {
    const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const { status, stdout } = spawnSync(
      process.execPath,
      [tsc, '-b', folder, '--singleThreaded', '--extendedDiagnostics'],
      { cwd: folder, encoding: 'utf8', timeout: 170_000 },
    )
    expect(stdout.split('\n').filter((line) => line.includes('error TS'))).toEqual([])
    expect(status).toBe(0)
    // What the time goes into, counted: 206,000, with the service's own endpoints, which the client's types load.
    expect(Number(/^Types:\s+(\d+)/m.exec(stdout)?.[1])).toBeLessThan(260_000)
  }, 180_000)
})
