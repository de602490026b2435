import { type SessionConfig, sessionConfig } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { initialSession, lanesAskedLater, lanesNotAsked, stepSession } from './session-machine.ts'
import type { SessionInput, SessionState } from './session-machine.types.ts'

const buildConfig = (overrides: Record<string, unknown> = {}): SessionConfig => sessionConfig.parse(overrides)
const yes = { screen: true, microphone: true, system_audio: true, camera: true, signals: true } as const

const walk = (inputs: readonly SessionInput[], from: SessionState = initialSession) => {
  let state = from
  let effects: readonly { type: string }[] = []
  for (const input of inputs) {
    const step = stepSession(state, input)
    state = step.state
    effects = step.effects
  }
  return { state, effects, types: effects.map((effect) => effect.type) }
}

const config = buildConfig()
const joined: SessionInput = { type: 'joined', config }
const registered = (with_ = config): SessionInput => ({ type: 'registered', config: with_, policyVersion: 1 })
const toRecording = (answers: SessionState['answers'] = yes, with_ = config): SessionInput[] => [
  { type: 'joined', config: with_ },
  { type: 'consented', answers },
  registered(with_),
]

describe('session machine', () => {
  it('asks for consent before it registers, and registers before any lane runs', () => {
    expect(walk([joined])).toMatchObject({ state: { phase: 'consenting' }, types: ['save', 'ask_consent'] })
    expect(walk([joined, { type: 'consented', answers: yes }])).toMatchObject({
      state: { phase: 'registering' },
      types: ['save', 'register'],
    })
    expect(walk(toRecording())).toMatchObject({ state: { phase: 'recording' }, types: ['save', 'run_lanes'] })
  })

  it('runs only lanes that the policy has on and the candidate said yes to', () => {
    const without = buildConfig({ camera: { enabled: false } })
    const { effects } = walk(toRecording({ ...yes, microphone: false }, without))
    expect(effects.at(-1)).toMatchObject({ lanes: ['screen', 'system_audio', 'signals'] })
  })

  it('never starts a lane that the policy turned on after consent, and names it', () => {
    const recording = walk(toRecording({ screen: true, signals: true })).state
    const { state, effects } = walk([{ type: 'config_read', config, policyVersion: 2, ended: false }], recording)
    expect(effects.at(-1)).toMatchObject({ lanes: ['screen', 'signals'] })
    expect(lanesNotAsked(state)).toEqual(['microphone', 'system_audio', 'camera'])
  })

  it('does not film, read window titles or look more often than the candidate was told, whatever the policy says later', () => {
    const wider = buildConfig({
      windowTitles: true,
      capture: { recording: true, screenshotIntervalSeconds: 1 },
      camera: { clips: true, stillIntervalSeconds: 30 },
    })
    const recording = walk(toRecording()).state
    const { effects } = walk([{ type: 'config_read', config: wider, policyVersion: 2, ended: false }], recording)
    const kept = { recording: false, screenshotIntervalSeconds: config.capture.screenshotIntervalSeconds }
    expect(effects.at(-1)).toMatchObject({
      config: { windowTitles: false, capture: kept, camera: { clips: false, stillIntervalSeconds: 30 } },
    })
    const told = walk(toRecording(yes, wider)).effects.at(-1)
    expect(told).toMatchObject({
      config: { windowTitles: true, capture: { recording: true }, camera: { clips: true } },
    })
  })

  it('starts and stops lanes with the policy, and only when it changed', () => {
    const recording = walk(toRecording()).state
    const off = buildConfig({ audio: { enabled: false } })
    const changed = walk([{ type: 'config_read', config: off, policyVersion: 2, ended: false }], recording)
    expect(changed.effects.at(-1)).toMatchObject({ type: 'run_lanes', lanes: ['screen', 'camera', 'signals'] })
    const same = walk([{ type: 'config_read', config: off, policyVersion: 2, ended: false }], changed.state)
    expect(same.effects).toEqual([])
  })

  it('pauses only where the policy allows it', () => {
    expect(walk([...toRecording(), { type: 'pause' }]).state.phase).toBe('recording')
    const allowed = buildConfig({ pauseAllowed: true })
    const paused = walk([...toRecording(yes, allowed), { type: 'pause' }])
    expect(paused).toMatchObject({ state: { phase: 'paused' }, types: ['pause_lanes', 'save'] })
    expect(walk([{ type: 'resume' }], paused.state)).toMatchObject({
      state: { phase: 'recording' },
      types: ['resume_lanes', 'run_lanes', 'save'],
    })
  })

  it('ends a pause when the policy takes it back', () => {
    const allowed = buildConfig({ pauseAllowed: true })
    const { state } = walk([...toRecording(yes, allowed), { type: 'pause' }])
    const after = walk([{ type: 'config_read', config, policyVersion: 2, ended: false }], state)
    expect(after).toMatchObject({ state: { phase: 'recording' }, types: ['save', 'resume_lanes', 'run_lanes'] })
  })

  it('stops a withdrawn lane before it says so, and the others go on', () => {
    const { effects } = walk([...toRecording(), { type: 'withdraw', lane: 'camera' }])
    expect(effects).toMatchObject([
      { type: 'run_lanes', lanes: ['screen', 'microphone', 'system_audio', 'signals'] },
      { type: 'note_withdrawn', lane: 'camera' },
      { type: 'save' },
    ])
  })

  it('begins nothing when a lane is withdrawn in a pause', () => {
    const allowed = buildConfig({ pauseAllowed: true })
    const { state } = walk([...toRecording(yes, allowed), { type: 'pause' }])
    const withdrawn = walk([{ type: 'withdraw', lane: 'camera' }], state)
    expect(withdrawn.effects[0]).toMatchObject({ type: 'run_lanes', paused: true })
    const { effects } = walk([{ type: 'resume' }], withdrawn.state)
    expect(effects[1]).toMatchObject({ lanes: ['screen', 'microphone', 'system_audio', 'signals'] })
    expect(effects[1]).not.toHaveProperty('paused')
  })

  it('stops the lanes before it tells the service of the end, then sends what is left', () => {
    const ended = walk([...toRecording(), { type: 'end', reason: 'completed' }])
    expect(ended).toMatchObject({
      state: { phase: 'finishing', endKnown: false },
      types: ['stop_lanes', 'save', 'send_end', 'drain'],
    })
    expect(walk([{ type: 'drained' }], ended.state).state.phase).toBe('finishing')
    const done = walk([{ type: 'end_confirmed' }, { type: 'drained' }], ended.state)
    expect(done).toMatchObject({ state: { phase: 'done' }, types: ['save', 'stop_sending'] })
  })

  it('stops and sends what is left when the service has ended the session, without ending it again', () => {
    const ended = walk([...toRecording(), { type: 'config_read', config, policyVersion: 1, ended: true }])
    expect(ended).toMatchObject({
      state: { phase: 'finishing', endKnown: true },
      types: ['stop_lanes', 'save', 'drain'],
    })
    expect(walk([{ type: 'drained' }], ended.state).state.phase).toBe('done')
  })

  it('registers and collects nothing when consent is refused', () => {
    const refused = walk([joined, { type: 'consent_refused' }])
    expect(refused).toMatchObject({ state: { phase: 'refused', endKnown: false }, types: ['save', 'send_refusal'] })
    expect(walk([joined, { type: 'consent_refused' }, { type: 'consented', answers: yes }]).effects).toEqual([])
    // Until the service has heard of it, also after a restart.
    expect(walk([{ type: 'restored', state: refused.state }]).types).toEqual(['send_refusal'])
    const told = walk([{ type: 'refusal_told' }], refused.state)
    expect(told.state.endKnown).toBe(true)
    expect(walk([{ type: 'restored', state: told.state }]).types).toEqual([])
  })

  it('asks again when the document changed while the candidate read it, and forgets the answer', () => {
    const { state, types } = walk([joined, { type: 'consented', answers: yes }, { type: 'document_changed', config }])
    expect(state).toMatchObject({ phase: 'consenting', answers: {} })
    expect(types).toEqual(['ask_consent', 'save'])
  })

  it('puts the question anew while it is open, and never once it was answered', () => {
    const other: SessionInput = { type: 'document_changed', config: buildConfig({ retentionDays: 7 }) }
    expect(walk([joined, other])).toMatchObject({
      state: { phase: 'consenting', config: { retentionDays: 7 } },
      types: ['ask_consent', 'save'],
    })
    expect(walk([...toRecording(), other]).effects).toEqual([])
  })

  it('stops lanes and sending when the token is not accepted any more', () => {
    expect(walk([...toRecording(), { type: 'unauthorized' }])).toMatchObject({
      state: { phase: 'failed' },
      types: ['stop_lanes', 'stop_sending'],
    })
  })

  it('goes on recording after a restart, noting how long the agent was gone', () => {
    const { state } = walk(toRecording())
    const back = walk([{ type: 'restored', state }])
    expect(back).toMatchObject({ state: { phase: 'registering' }, types: ['come_back'] })
    expect(walk([registered()], back.state)).toMatchObject({
      state: { phase: 'recording' },
      types: ['note_absence', 'save', 'run_lanes'],
    })
  })

  it('goes on without the service when nobody answers after a restart, and takes its policy when it is back', () => {
    const { state } = walk(toRecording())
    const alone = walk([{ type: 'restored', state }, { type: 'service_away' }])
    expect(alone).toMatchObject({ state: { phase: 'recording' }, types: ['note_absence', 'save', 'run_lanes'] })
    expect(walk([{ type: 'service_away' }], alone.state).effects).toEqual([])
    expect(walk([{ type: 'registered', config, policyVersion: 7 }], alone.state)).toMatchObject({
      state: { phase: 'recording', policyVersion: 7 },
      types: ['save', 'run_lanes'],
    })
  })

  it('notes how long it was gone also when the session ended meanwhile', () => {
    const { state } = walk(toRecording())
    const gone = walk([{ type: 'restored', state }, { type: 'session_gone' }])
    expect(gone.types).toEqual(['note_absence', 'stop_lanes', 'save', 'drain'])
  })

  it('does not record for a first registration that nobody answers', () => {
    const first = walk([joined, { type: 'consented', answers: yes }])
    expect(walk([{ type: 'service_away' }], first.state)).toMatchObject({ state: { phase: 'registering' }, types: [] })
  })

  it('comes back paused when it was stopped while paused, and no lane runs', () => {
    const allowed = buildConfig({ pauseAllowed: true })
    const { state } = walk([...toRecording(yes, allowed), { type: 'pause' }])
    const back = walk([{ type: 'restored', state }])
    expect(back.types).toEqual(['come_back'])
    expect(walk([registered(allowed)], back.state)).toMatchObject({ state: { phase: 'paused' }, types: ['save'] })
  })

  it('only sends what is left when it was restarted while finishing', () => {
    const { state } = walk([...toRecording(), { type: 'end', reason: 'completed' }])
    expect(walk([{ type: 'restored', state }]).types).toEqual(['send_end', 'drain'])
    const known = walk([{ type: 'end_confirmed' }], state).state
    expect(walk([{ type: 'restored', state: known }]).types).toEqual(['drain'])
  })

  it('asks again when it was restarted before consent was given', () => {
    const { state } = walk([joined])
    expect(walk([{ type: 'restored', state }]).types).toEqual(['ask_consent'])
  })

  it('ignores what does not fit its phase', () => {
    const done = walk([
      ...toRecording(),
      { type: 'end', reason: 'completed' },
      { type: 'end_confirmed' },
      { type: 'drained' },
    ]).state
    for (const type of ['pause', 'resume', 'unauthorized', 'drained', 'session_gone'] as const) {
      expect(stepSession(done, { type })).toEqual({ state: done, effects: [] })
    }
  })
})

describe('what the policy asks for since the session runs', () => {
  const start = buildConfig({ capture: { enabled: false, screenshotIntervalSeconds: 5 }, audio: { enabled: false } })
  const recording = walk(toRecording({ camera: true, signals: true }, start)).state
  const after = (changed: Record<string, unknown>, from = recording, policyVersion = 2) =>
    walk([{ type: 'config_read', config: buildConfig(changed), policyVersion, ended: false }], from)
  const answered = (from: SessionState, answers: SessionState['answers']) =>
    walk([{ type: 'answered_later', config: from.config ?? start, answers }], from)

  it('is a lane that is new, and agreed to as it was asked for, whatever the old policy had for it', () => {
    const off = { audio: { enabled: false } }
    const { state } = after({ ...off, capture: { screenshotIntervalSeconds: 30 } })
    expect(lanesAskedLater(state)).toEqual(['screen'])
    const agreed = answered(state, { screen: true })
    expect(agreed.types).toEqual(['save', 'run_lanes'])
    expect(agreed.effects.at(-1)).toMatchObject({ lanes: ['screen', 'camera', 'signals'] })
    const faster = after({ ...off, capture: { screenshotIntervalSeconds: 5 } }, agreed.state, 3)
    expect(faster.effects.at(-1)).toMatchObject({ config: { capture: { screenshotIntervalSeconds: 30 } } })
    expect(lanesAskedLater(faster.state)).toEqual(['screen'])
  })

  it('is asked again after a no only when something else is asked for', () => {
    const quiet = { capture: { enabled: false }, audio: { enabled: false } }
    const { state } = after({ ...quiet, camera: { clips: true } })
    expect(lanesAskedLater(state)).toEqual(['camera'])
    const declined = answered(state, { camera: false }).state
    expect(lanesAskedLater(declined)).toEqual([])
    expect(declined.answers.camera).toBe(true)
    const otherwise = after({ ...quiet, camera: { clips: true, stillIntervalSeconds: 1 } }, declined, 3).state
    expect(lanesAskedLater(otherwise)).toEqual(['camera'])
  })

  it('does not bring back what was withdrawn while the answer was on its way', () => {
    const { state } = after({ capture: { enabled: false }, audio: { enabled: false }, camera: { clips: true } })
    const withdrawn = walk([{ type: 'withdraw', lane: 'camera' }], state).state
    const { effects } = answered(withdrawn, { camera: true })
    expect(effects.at(-1)).toMatchObject({ lanes: ['signals'] })
  })

  it('is nothing of a lane that was declined at the start, nor before the recording', () => {
    const { state } = after({ audio: { microphone: true } }, walk(toRecording({ ...yes, microphone: false })).state)
    expect(lanesAskedLater(state)).toEqual([])
    expect(lanesAskedLater(walk([joined]).state)).toEqual([])
  })

  it('starts with the pause over, where the answer came in a pause', () => {
    const pausing = { pauseAllowed: true, capture: { enabled: false }, audio: { systemAudio: false } }
    const from = walk([{ type: 'pause' }], after({ ...pausing, audio: { enabled: false } }).state).state
    const asked = after(pausing, from, 3).state
    expect(lanesAskedLater(asked)).toEqual(['microphone'])
    const paused = answered(asked, { microphone: true })
    expect(paused.types).toEqual(['save'])
    expect(walk([{ type: 'resume' }], paused.state).effects[1]).toMatchObject({
      lanes: ['microphone', 'camera', 'signals'],
    })
  })
})
