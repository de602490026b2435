import { expect, it } from 'vitest'
import { useProcesses } from '../../test-support/processes.ts'

const code = `import { registerHooks } from 'node:module'
registerHooks({ load: (url, context, next) => { console.error('loads ' + url); return next(url, context) } })`
const telling = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }

/** Each brings dozens to hundreds of modules, for what most requests never ask. */
const late = [
  // Not @opentelemetry/api: the library of the metrics loads it.
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@opentelemetry/exporter-trace-otlp-http',
  '@redis/client',
  'knex',
  'lodash',
  '@simplewebauthn/server',
  '@peculiar/asn1-schema',
  '@node-saml/node-saml',
]

const { start } = useProcesses()

it('a start with nothing to migrate loads no package that it can listen without', { timeout: 60_000 }, async () => {
  const first = await start()
  first.child.process.kill('SIGTERM')
  await first.child.ended
  const { child } = await start(telling)
  const loaded = new Set(
    [...child.output().matchAll(/^loads .*\/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\/[^\n]*$/gm)].map(
      ([, name]) => name!,
    ),
  )
  expect([...loaded]).toEqual(expect.arrayContaining(['koa', 'zod', 'better-sqlite3']))
  expect(late.filter((name) => loaded.has(name))).toEqual([])
})
