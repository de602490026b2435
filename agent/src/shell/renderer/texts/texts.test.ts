import { evidenceTypeNames, gapReasons } from '@integrity/protocol'
import { expect, it } from 'vitest'
import { isWindowText } from './window.ts'

it('there are words for every reason of a gap and every type of evidence', () => {
  for (const reason of Object.keys(gapReasons)) expect(isWindowText(`reason.${reason}`), reason).toBe(true)
  for (const type of evidenceTypeNames) expect(isWindowText(`type.${type}`), type).toBe(true)
})
