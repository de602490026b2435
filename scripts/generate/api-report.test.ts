import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { apiReport } from './api-report.ts'
import { clientApiReport } from './client-api-report.ts'
import { createDeclarationsOf } from './declarations.ts'

const root = path.resolve(import.meta.dirname, '../..')
const declarationsOf = createDeclarationsOf(root)

const sources = {
  'src/index.ts': "export { run, type Options } from './run.ts'\nexport { stop as halt } from './stop.ts'\n",
  'src/run.ts': `import type { Speed } from './speed.ts'
import { libraryType } from 'library'
/** How. */
export interface Options extends Base {
  /** How fast. */
  readonly speed?: Speed
}
interface Base { readonly name: string }
const hidden = 3
/** Runs. */
export const run = (options: Options = { name: 'a' }): number => options.name.length + hidden
`,
  'src/speed.ts': "export type Speed = 'fast' | 'slow'\nexport type Unused = 1\n",
  'src/stop.ts': 'export const stop = (): void => undefined\n',
}

const report = (changed: Readonly<Record<string, string>> = {}): string => {
  const all: Readonly<Record<string, string>> = { ...sources, ...changed }
  const fileAt = (file: string) => {
    const text = all[file]
    return text === undefined ? undefined : declarationsOf({ path: file, text })
  }
  return apiReport(fileAt, 'src/index.ts', { endpoints: ['b.get', 'a.get'], events: ['a.b'], errors: ['gone'] })
}

describe('the report of an interface', () => {
  it('has what the entry exports and what that names, in order and without comments', () => {
    const [, exported, named] = report().split('```ts\n')
    expect(exported).toContain(`export interface Options extends Base {
  readonly speed?: Speed;
}

export declare const run: (options?: Options) => number;

export declare const stop: () => void;
\`\`\``)
    expect(named).toMatch(
      /^interface Base \{\n {2}readonly name: string;\n\}\n\nexport type Speed = "fast" \| "slow";\n```/,
    )
    expect(report()).toContain('- `halt: stop`')
    expect(report()).toContain('- `a.get`\n- `b.get`\n')
    expect(report()).not.toMatch(/hidden|Unused|How/)
  })

  it('shows a type that changes anywhere below, and nothing of what changes inside', () => {
    expect(report({ 'src/speed.ts': "export type Speed = 'fast'\n" })).not.toBe(report())
    expect(report({ 'src/run.ts': sources['src/run.ts'].replace('hidden = 3', 'hidden = 4') })).toBe(report())
  })

  it('refuses a declaration whose type the text does not say', () => {
    expect(() => report({ 'src/stop.ts': 'export const stop = () => start()\n' })).toThrow('src/stop.ts')
  })

  it('is in the tree as the sources of the client library are', () => {
    const committed = readFileSync(path.join(root, 'shared-protocol/client/api-report.md'), 'utf8')
    expect(clientApiReport(root), 'run npm run generate').toBe(committed)
  })
})
