import { describe, expect, it } from 'vitest'
import { type CompanionState, shownAnew, type Views } from './companion.states.ts'

const views = {
  pairing: { token: 'new' },
  placement: { busy: true },
  live: { mode: 'preview' },
  sending: { refused: 1 },
  clockAhead: 5,
} as unknown as Views
const shown = (state: object) => state as CompanionState

describe('the state on show', () => {
  it('is made anew of the views that it is made of, and of no other', () => {
    const { pairing, placement, live, sending, clockAhead } = views
    expect(shownAnew(shown({ name: 'placement' }), views)).toEqual({ name: 'placement', pairing, placement })
    expect(shownAnew(shown({ name: 'live' }), views)).toEqual({ name: 'live', pairing, live, sending, clockAhead })
    expect(shownAnew(shown({ name: 'leaving', why: 'ended' }), views)).toEqual({
      name: 'leaving',
      pairing,
      why: 'ended',
      sending,
    })
  })

  it('stays where it goes on by nothing that changes by itself', () => {
    for (const name of ['opening', 'unsupported', 'elsewhere', 'code', 'consent', 'declined', 'done'])
      expect(shownAnew(shown({ name }), views), name).toBeUndefined()
  })

  it('stays where the part that it is made of is not there any more', () => {
    const gone: Views = { ...views, placement: undefined, live: undefined, sending: undefined }
    for (const name of ['placement', 'live', 'leaving']) expect(shownAnew(shown({ name }), gone), name).toBeUndefined()
    expect(shownAnew(shown({ name: 'live' }), { ...views, sending: undefined })).toBeUndefined()
  })
})
