import { describe, expect, it } from 'vitest'
import { exportsHaveExamples } from './client-examples.ts'

const manifest = JSON.stringify({
  name: '@integrity/client',
  exports: { '.': './src/index.ts', './*': './src/*.ts' },
})
const example = '/**\n * Does it.\n *\n * @example\n * ```ts\n * run()\n * ```\n */\n'

const messages = (files: Readonly<Record<string, string>>): string[] =>
  exportsHaveExamples
    .find(
      Object.entries({ 'package.json': manifest, ...files }).map(([path, text]) => ({ path: `client/${path}`, text })),
    )
    .map(({ path, message }) => `${path}: ${message}`)

describe('the examples of the client library', () => {
  it('are asked of functions and classes, wherever they are declared and in whatever way', () => {
    expect(
      messages({
        'src/index.ts': "export { run, Fault, type Options } from './run.ts'\nexport * from './walk.ts'\n",
        'src/run.ts': `/** Runs. */
export const run = () => 1
export class Fault extends Error {}
export interface Options { readonly fast: boolean }
export const most = 3
`,
        'src/walk.ts': 'export async function* walk() {}\n',
      }),
    ).toEqual([
      'client/src/walk.ts: walk has no @example',
      'client/src/run.ts: run has no @example',
      'client/src/run.ts: Fault has no @example',
    ])
  })

  it('stand right above what they are of', () => {
    expect(
      messages({
        'src/index.ts': `${example}export const run = () => 1\n${example}const most = 3\nexport const walk = () => most\n`,
      }),
    ).toEqual(['client/src/index.ts: walk has no @example'])
  })

  it('are asked of each method of what a function gives, in its objects too', () => {
    const client = `export interface Client {
  /** Calls. */
  call(): void
  ${example}  send(): void
  readonly packs: { push(): void }
}
`
    expect(
      messages({
        'src/index.ts': "export { createClient, type Client } from './create.ts'\n",
        'src/create.ts': `import type { Client } from './client.ts'\n${example}export const createClient = (): Client => made\n`,
        'src/client.ts': client,
      }),
    ).toEqual([
      'client/src/client.ts: Client.call has no @example',
      'client/src/client.ts: Client.push has no @example',
    ])
  })

  it('are asked neither of what the library keeps for itself nor of other packages', () => {
    expect(
      messages({
        'src/index.ts': `${example}export const run = () => walk()\n`,
        'src/walk.ts': 'export const walk = () => 1\n',
      }),
    ).toEqual([])
    expect(
      exportsHaveExamples.find([
        { path: 'other/package.json', text: '{ "name": "other", "exports": { ".": "./index.ts" } }' },
        { path: 'other/index.ts', text: 'export const run = () => 1\n' },
      ]),
    ).toEqual([])
  })
})
