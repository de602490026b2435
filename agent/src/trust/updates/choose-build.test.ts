import { expect, it } from 'vitest'
import { ManualClock } from '../../shared/test-support/manual-clock.ts'
import { buildBuild, buildManifest } from '../minisign/test-support/documents.ts'
import { chooseBuild } from './choose-build.ts'

const machine = { version: '1.2.0', platform: 'linux', arch: 'x64' }
const choose = (latest: string, versions: readonly string[], minimumVersion = '1.0.0') => {
  const builds = versions.map((version) => buildBuild({ version }))
  return chooseBuild(buildManifest(new ManualClock(), { latest: { version: latest }, minimumVersion, builds }), machine)
}

it('chooses the newest build in whatever order they come', () => {
  expect(choose('1.10.0', ['1.3.0', '1.10.0', '1.9.0']).build?.version).toBe('1.10.0')
})

it('never steps back, and stays when the latest is the running one', () => {
  expect(choose('1.1.0', ['1.1.0', '1.0.0']).build).toBeUndefined()
  expect(choose('1.2.0', ['1.2.0']).build).toBeUndefined()
  expect(choose('1.2.0', ['1.2.0-rc.1']).build).toBeUndefined()
})

it('does not take a build that was withdrawn by naming an older one the latest', () => {
  expect(choose('1.3.0', ['1.4.0', '1.3.0']).build?.version).toBe('1.3.0')
})

it('takes an older build than the latest when that is the newest for this machine', () => {
  expect(choose('1.5.0', ['1.4.0']).build?.version).toBe('1.4.0')
})

it('takes a build for every architecture', () => {
  const builds = [buildBuild({ version: '1.3.0', arch: 'universal' })]
  const manifest = buildManifest(new ManualClock(), { latest: { version: '1.3.0' }, builds })
  expect(chooseBuild(manifest, machine).build?.version).toBe('1.3.0')
})

it('tells the minimum only to who is below it, and whether the build is enough', () => {
  expect(choose('1.3.0', ['1.3.0'], '1.2.0')).toMatchObject({ minimum: undefined, reachesMinimum: true })
  expect(choose('1.3.0', ['1.3.0'], '1.2.1')).toMatchObject({ minimum: '1.2.1', reachesMinimum: true })
  expect(choose('1.3.0', ['1.3.0'], '1.4.0')).toMatchObject({ minimum: '1.4.0', reachesMinimum: false })
  expect(choose('1.3.0', [], '1.2.1')).toMatchObject({ minimum: '1.2.1', reachesMinimum: false })
})
