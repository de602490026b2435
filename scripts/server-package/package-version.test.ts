import { execFileSync, spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { packageVersion } from './package-version.ts'

it('grows from commit to commit, up to the release and beyond it, as dpkg compares', () => {
  const call = { commit: '0123456789ab', isTagged: false, sinceTag: undefined }
  const versions = [
    packageVersion('0.2.0', { ...call, commits: 927 }),
    packageVersion('0.2.0', { ...call, commits: 1001 }),
    packageVersion('0.2.0', { ...call, commits: 1002, isTagged: true, sinceTag: 0 }),
    packageVersion('0.2.0', { ...call, commits: 1003, sinceTag: 1 }),
    packageVersion('0.2.0', { ...call, commits: 1012, sinceTag: 10 }),
    packageVersion('0.2.1', { ...call, commits: 1013 }),
  ]
  expect(versions[2]).toBe('0.2.0')
  for (const [n, version] of versions.slice(1).entries())
    execFileSync('dpkg', ['--compare-versions', version, 'gt', versions[n]!])
  expect(spawnSync('dpkg', ['--compare-versions', versions[0]!, 'gt', versions[1]!]).status).toBe(1)
})
