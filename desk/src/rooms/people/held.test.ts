import { describe, expect, it } from 'vitest'
import { heldIn } from './held.ts'

const placed = (seq: number, sessionId: string | null) => ({ seq, sessionId, action: 'legal_hold.placed' })
const released = (seq: number, sessionId: string | null) => ({ seq, sessionId, action: 'legal_hold.released' })

describe('what is held', () => {
  it('is each interview whose latest entry placed a hold, newest first', () => {
    const entries = [placed(1, 'a'), placed(2, 'b'), released(3, 'a'), placed(5, 'c'), placed(7, 'b')]
    expect(heldIn(entries).map(({ seq }) => seq)).toEqual([7, 5])
  })

  it('is held again after a release, and is not the whole organisation', () => {
    expect(heldIn([released(2, 'a'), placed(3, 'a'), placed(4, null)]).map(({ seq }) => seq)).toEqual([3])
    expect(heldIn([])).toEqual([])
  })
})
