import { describe, expect, it } from 'vitest'
import { realTestsAreNamed } from './real-tests.ts'

const helper = {
  path: 'agent/test/test-support/display.ts',
  text: "import { spawn } from 'node:child_process'\nspawn('Xvfb')\n",
}
const testAt = (path: string, text = '') => ({ path, text })
const find = (...files: { path: string; text: string }[]) =>
  realTestsAreNamed.find([helper, ...files]).map(({ path }) => path)

describe('the names of the tests on real displays', () => {
  const drives = "import '../test/test-support/display.ts'\n"

  it('are asked of a test that drives one, itself or by a helper', () => {
    expect(find(testAt('agent/src/a.test.ts', drives))).toEqual(['agent/src/a.test.ts'])
    expect(find(testAt('agent/src/a.real.test.ts', drives))).toEqual([])
  })

  it('are not for a test that drives none', () => {
    expect(find(testAt('agent/src/a.real.test.ts'))).toEqual(['agent/src/a.real.test.ts'])
    expect(find(testAt('agent/src/a.test.ts'))).toEqual([])
  })

  it('are not asked of pages and of other packages', () => {
    expect(find(testAt('agent/test/renderer/a.test.ts', drives), testAt('server/src/a.test.ts', drives))).toEqual([])
  })
})
