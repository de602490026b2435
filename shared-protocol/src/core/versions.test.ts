import { describe, expect, it } from 'vitest'
import { compareVersions, versionPattern } from './versions.ts'

/** The order of Semantic Versioning 2.0.0, section 11, and some more, oldest first. */
const inOrder = [
  '0.0.0',
  '0.0.9',
  '0.0.10',
  '0.1.0',
  '1.0.0-0',
  '1.0.0-2',
  '1.0.0-10',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.0.1-a-b.c',
  '1.0.1',
  '1.9.0',
  '1.10.0',
  '2.0.0',
  '10.0.0',
]

describe('versions', () => {
  it('have the order of Semantic Versioning, each pair in both directions', () => {
    for (const [i, a] of inOrder.entries())
      for (const [j, b] of inOrder.entries())
        expect(Math.sign(compareVersions(a, b)), `${a} and ${b}`).toBe(Math.sign(i - j))
  })

  it('are three numbers with an optional pre-release, and nothing else', () => {
    for (const version of inOrder) expect(version).toMatch(versionPattern)
    const wrong = [
      '',
      '1',
      '1.2',
      '1.2.3.4',
      '01.2.3',
      '1.2.3-',
      '1.2.3-01',
      '1.2.3-a..b',
      'v1.2.3',
      ' 1.2.3',
      '1.2.3+b',
    ]
    for (const version of [...wrong, '1.2.3\n', '1.2.x', '1.2.3-é', '1.2.9999999999']) {
      expect(version).not.toMatch(versionPattern)
      expect(() => compareVersions(version, '1.0.0')).toThrow(TypeError)
    }
  })
})
