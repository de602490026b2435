import { describe, expect, it } from 'vitest'
import { nobodyIsObservedForHelp } from './observers.ts'

const path = 'agent/src/core/observers/observer-table.newer.data.ts'

describe('the data of observers', () => {
  it.each(['NVDA', 'orca', 'JAWS', 'narrator', 'VoiceOver', 'magnifier', 'a screen reader', 'braille'])(
    'may not name %s',
    (name) => {
      const found = nobodyIsObservedForHelp.find([{ path, text: `one\n  reads: 'whether ${name} runs',\n` }])
      expect(found.map((one) => one.path)).toEqual([`${path}:2`])
    },
  )

  it('may name other programs, and other files may say what helps', () => {
    expect(nobodyIsObservedForHelp.find([{ path, text: "reads: 'which programs record'" }])).toEqual([])
    expect(nobodyIsObservedForHelp.find([{ path: 'agent/src/other.ts', text: "'orca'" }])).toEqual([])
  })
})
