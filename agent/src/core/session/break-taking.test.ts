import { sessionConfig } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { breaksLeft } from './break-taking.ts'
import { initialSession, stepSession } from './session-machine.ts'
import type { SessionInput, SessionState } from './session-machine.types.ts'

const minute = 60_000
const agreed = (count: number, minutes: number, state = 'agreed') =>
  sessionConfig.parse({
    aids: { declared: [{ aid: 'breaks', state, detail: null, breaks: { count, minutes } }] },
  })

/** A session that records with this policy. */
const recording = (config = agreed(2, 5)): SessionState => {
  const answers = { screen: true, signals: true }
  return { ...initialSession, phase: 'recording', config, agreed: config, policyVersion: 1, answers }
}
const walk = (from: SessionState, ...inputs: readonly (readonly [SessionInput['type'], number])[]) => {
  let step = { state: from, effects: [] as readonly { type: string }[] }
  for (const [type, at] of inputs) step = stepSession(step.state, { type } as SessionInput, at)
  return step
}

describe('breaks that were agreed', () => {
  it('begin with one press, although the policy has no pause, and pause the lanes with a reason of their own', () => {
    const { state, effects } = walk(recording(), ['take_break', 0])
    expect(state).toMatchObject({ phase: 'paused', breaks: { taken: 1, endsAt: 5 * minute } })
    expect(effects).toEqual([{ type: 'pause_lanes', reason: 'break' }, { type: 'save' }])
    expect(breaksLeft(state)).toBe(1)
  })

  it('end by themselves after so many minutes, and not before', () => {
    const { state: before } = walk(recording(), ['take_break', 0], ['look_at_break', 5 * minute - 1])
    expect(before.phase).toBe('paused')
    const { state, effects } = walk(before, ['look_at_break', 5 * minute])
    expect(state).toMatchObject({ phase: 'recording', breaks: { taken: 1 } })
    expect(state.breaks?.endsAt).toBeUndefined()
    expect(effects.map(({ type }) => type)).toEqual(['resume_lanes', 'run_lanes', 'save'])
  })

  it('can be ended earlier, and a third of two does not begin', () => {
    const twice = walk(recording(), ['take_break', 0], ['resume', 1], ['take_break', 2], ['resume', 3])
    expect(twice.state).toMatchObject({ phase: 'recording', breaks: { taken: 2 } })
    expect(breaksLeft(twice.state)).toBe(0)
    expect(walk(twice.state, ['take_break', 4])).toEqual({ state: twice.state, effects: [] })
  })

  it('do not begin where none was agreed, or while one runs', () => {
    const none = recording(sessionConfig.parse({}))
    expect(walk(none, ['take_break', 0]).effects).toEqual([])
    expect(breaksLeft(none)).toBeUndefined()
    expect(walk(recording(agreed(2, 5, 'declared')), ['take_break', 0]).effects).toEqual([])
    expect(walk(recording(), ['take_break', 0], ['take_break', 1]).effects).toEqual([])
  })

  it('go on after a restart and when the policy changes, and end at their time', () => {
    const { state } = walk(recording(), ['take_break', 0])
    const back = stepSession(initialSession, { type: 'restored', state }, minute).state
    expect(back.comingBackTo).toBe('paused')
    const again = stepSession(back, { type: 'registered', config: agreed(2, 5), policyVersion: 2 }, minute).state
    expect(again.phase).toBe('paused')
    const config = { ...agreed(2, 5), retentionDays: 7 }
    const changed = stepSession(again, { type: 'config_read', config, policyVersion: 3, ended: false }, minute).state
    expect(changed.phase).toBe('paused')
    expect(walk(changed, ['look_at_break', 5 * minute]).state.phase).toBe('recording')
  })

  it('do not end a pause that is none', () => {
    const config = { ...agreed(2, 5), pauseAllowed: true }
    const { state } = walk(recording(config), ['take_break', 0], ['resume', 1], ['pause', 2])
    expect(walk(state, ['look_at_break', 60 * minute]).state.phase).toBe('paused')
  })
})
