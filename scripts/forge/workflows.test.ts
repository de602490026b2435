import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { faultsInWorkflow } from './workflow-faults.test-support.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, '.github/workflows')
const names = readdirSync(folder)
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8')

interface Step {
  readonly run?: string
  readonly uses?: string
}
const stepsOf = (name: string): Step[] => {
  const { jobs } = parse(textOf(name)) as { jobs: Record<string, { steps: Step[] }> }
  return Object.values(jobs).flatMap(({ steps }) => steps)
}

describe('the workflows of a forge', () => {
  it.each(names)('%s is taken by its parser, and says that it was not run here', async (name) => {
    expect(await faultsInWorkflow(name, textOf(name))).toEqual([])
    expect(textOf(name)).toContain('NOT RUN HERE')
  })

  it('are refused by that parser with a name that it does not know', async () => {
    expect(await faultsInWorkflow('check.yml', textOf('check.yml').replace('runs-on:', 'run-on:'))).not.toEqual([])
  })

  it.each(names)('%s calls commands that exist', (name) => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
    for (const { run = '' } of stepsOf(name)) {
      const [, script] = /^npm (?:run )?([\w:]+)/.exec(run) ?? []
      if (script !== undefined) expect(Object.keys(scripts), run).toContain(script)
      else if (run.startsWith('.')) expect(existsSync(join(root, run)), run).toBe(true)
    }
  })

  it('make a release of a tag by the commands of a machine here, and sign it where a person has agreed', () => {
    const { on, jobs } = parse(textOf('release.yml')) as {
      on: object
      jobs: Record<'server' | 'agent' | 'release', { environment?: string; needs?: string[]; steps: Step[] }>
    }
    expect(on).toEqual({ push: { tags: ['v*'] } })
    const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run = '' }) => run))
    for (const command of ['.ci/run', 'npm run package:server', 'npm run sbom', 'npm run package'])
      expect(runs).toContain(command)
    const { environment, needs, steps } = jobs.release
    expect([environment, needs]).toEqual(['release', ['server', 'agent']])
    const order = ['npm run sign', 'gh release create'].map((start) =>
      steps.findIndex(({ run }) => run?.startsWith(start)),
    )
    expect(order).toEqual([...order].sort((a, b) => a - b))
    expect(order).not.toContain(-1)
    expect(steps.at(-1)?.run).toContain('--draft')
  })

  it('take every action by a version, one for all of them', () => {
    const used = names.flatMap((name) => stepsOf(name).flatMap(({ uses }) => (uses === undefined ? [] : [uses])))
    const versions = new Set(used)
    expect([...versions].filter((one) => !/^[\w-]+\/[\w-]+@v\d+$/.test(one))).toEqual([])
    expect(new Set([...versions].map((one) => one.split('@')[0])).size).toBe(versions.size)
  })

  it('run the one command of each change, everything at night, and the real window on three systems', () => {
    expect(stepsOf('check.yml').map(({ run }) => run)).toContain('.ci/run')
    expect(stepsOf('nightly.yml').map(({ run }) => run)).toContain('npm test -- --all')
    const { jobs } = parse(textOf('nightly.yml')) as {
      jobs: { window: { env: object; strategy: { matrix: { system: string[] } } } }
    }
    expect(jobs.window.env).toEqual({ ELECTRON_E2E: '1' })
    expect(jobs.window.strategy.matrix.system.map((one) => one.split('-')[0])).toEqual(['ubuntu', 'macos', 'windows'])
  })
})

describe('the versions of packages', () => {
  it('are exact in every package.json, as the update bot keeps them', () => {
    const manifests = [
      '.',
      'agent',
      'command-line',
      'companion',
      'desk',
      'room-web',
      'server',
      'shared-protocol/client',
      'shared-ui',
    ]
    for (const folderOf of manifests) {
      const { dependencies = {}, devDependencies = {} } = JSON.parse(
        readFileSync(join(root, folderOf, 'package.json'), 'utf8'),
      ) as Record<'dependencies' | 'devDependencies', Record<string, string> | undefined>
      for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
        expect(version, `${folderOf} ${name}`).toMatch(/^(?:\d+\.\d+\.\d+(?:-[\w.]+)?|workspace:\*)$/)
    }
    const { updates } = parse(readFileSync(join(root, '.github/dependabot.yml'), 'utf8')) as { updates: object[] }
    expect(updates[0]).toMatchObject({ 'package-ecosystem': 'npm', 'versioning-strategy': 'increase' })
  })
})
