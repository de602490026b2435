import { describe, expect, it } from 'vitest'
import { isCapturingPhase, isOverPhase, type PhaseFacts, sessionPhaseNames, sessionPhases } from './sessions.phases.ts'

describe('phases of a session', () => {
  it('have a sentence each', () => {
    for (const { sentence } of Object.values<PhaseFacts>(sessionPhases)) expect(sentence).toMatch(/^[A-Z].*\.$/)
  })

  it('capture while they record, or are paused and may record again', () => {
    expect(sessionPhaseNames.filter(isCapturingPhase)).toEqual(['recording', 'paused'])
  })

  it('are over when nothing more happens by itself, and then nothing is captured', () => {
    const over = sessionPhaseNames.filter(isOverPhase)
    expect(over).toEqual(['done', 'refused', 'failed'])
    expect(over.some((phase) => isCapturingPhase(phase))).toBe(false)
  })
})
