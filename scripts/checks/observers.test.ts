import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isDataOfObservers, nobodyIsObservedForHelp } from './observers.ts'
import { readTree } from './source-tree.ts'

const path = 'agent/src/core/observers/observer-table.newer.data.ts'

describe('the data of observers', () => {
  it.each(['NVDA', 'orca', 'JAWS', 'narrator', 'VoiceOver', 'magnifier', 'a screen reader', 'braille'])(
    'may not name %s',
    (name) => {
      const found = nobodyIsObservedForHelp.find([{ path, text: `one\n  reads: 'whether ${name} runs',\n` }])
      expect(found.map((one) => one.path)).toEqual([`${path}:2`])
    },
  )

  it('is where it is looked for: a file that moves or comes beside these takes the check with it', () => {
    const root = join(import.meta.dirname, '../..')
    const found = readTree(root).map(({ path }) => path)
    const beside = found.filter((path) => /^agent\/src\/core\/observers\/[\w.-]*(?:data|catalogue)\.ts$/.test(path))
    // What people have open on ordinary machines is data of a test, and the other list is of what is left out.
    const others = /(?:ordinary-machines[\w.-]*|helping-programs)\.data\.ts$/
    expect(found.filter(isDataOfObservers).filter((path) => path.startsWith('agent/'))).toEqual(
      beside.filter((path) => !others.test(path)),
    )
    expect(found.filter(isDataOfObservers).length).toBeGreaterThanOrEqual(6)
  })

  it('may name other programs, and other files may say what helps', () => {
    expect(nobodyIsObservedForHelp.find([{ path, text: "reads: 'which programs record'" }])).toEqual([])
    expect(nobodyIsObservedForHelp.find([{ path: 'agent/src/other.ts', text: "'orca'" }])).toEqual([])
  })
})
