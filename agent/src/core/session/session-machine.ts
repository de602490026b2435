import { agentLanes, isCapturingPhase, isOverPhase, type LaneName, laneEnabled } from '@integrity/protocol'
import { breakOver, endBreak, mayBreak, takeBreak } from './break-taking.ts'
import type { SessionEffect, SessionInput, SessionState, Step } from './session-machine.types.ts'
import { answeredLater, lanesToAsk, withinConsent } from './within-consent.ts'

export const initialSession: SessionState = {
  phase: 'joining',
  config: undefined,
  policyVersion: 0,
  callIn: undefined,
  answers: {},
  agreed: undefined,
  declinedLater: {},
  comingBackTo: undefined,
  endReason: undefined,
  endKnown: false,
  failure: undefined,
}

/** Consent first: a lane runs only when the policy has it on and the candidate said yes to it. */
export const lanesToRun = (state: SessionState): LaneName[] =>
  agentLanes.filter((lane) => state.config && state.answers[lane] === true && laneEnabled(state.config, lane))

/** Lanes the policy has on but the candidate was never asked about (turned on later): shown, never started. */
export const lanesNotAsked = (state: SessionState): LaneName[] =>
  agentLanes.filter((lane) => state.config && state.answers[lane] === undefined && laneEnabled(state.config, lane))

/** Lanes that the candidate is to be asked about while the session runs. */
export const lanesAskedLater = (state: SessionState): LaneName[] =>
  isCapturing(state) ? lanesToAsk(agentLanes, state) : []

const stay = (state: SessionState): Step => ({ state, effects: [] })
const save: SessionEffect = { type: 'save' }

const runLanes = (state: SessionState): readonly Extract<SessionEffect, { type: 'run_lanes' }>[] =>
  state.config && state.agreed
    ? [
        {
          type: 'run_lanes',
          lanes: lanesToRun(state),
          config: withinConsent(state.config, state.agreed),
          ...(state.callIn === undefined ? {} : { callIn: state.callIn }),
        },
      ]
    : []

/** The lanes run, or are paused and may run again. */
export const isCapturing = (state: SessionState): boolean => isCapturingPhase(state.phase)

const finish = (state: SessionState, reason: string, endKnown: boolean): Step => {
  const next: SessionState = { ...state, phase: 'finishing', endReason: reason, endKnown }
  return {
    state: next,
    effects: [
      { type: 'stop_lanes' },
      save,
      ...(endKnown ? [] : [{ type: 'send_end', reason } as const]),
      { type: 'drain' },
    ],
  }
}

const fail = (state: SessionState, failure: string): Step => ({
  state: { ...state, phase: 'failed', failure },
  effects: [...(isCapturing(state) ? [{ type: 'stop_lanes' } as const] : []), { type: 'stop_sending' }],
})

const configRead = (state: SessionState, input: Extract<SessionInput, { type: 'config_read' }>): Step => {
  if (!isCapturing(state)) return stay(state)
  const { config, policyVersion, callIn } = input
  if (input.ended) return finish({ ...state, config, policyVersion }, 'ended_by_service', true)
  if (policyVersion === state.policyVersion) return stay(state)
  const next = { ...state, config, policyVersion, callIn }
  // A pause that the policy takes back ends at once.
  if (state.phase === 'paused' && !config.pauseAllowed && state.breaks?.endsAt === undefined) {
    const resumed: SessionState = { ...next, phase: 'recording' }
    return { state: resumed, effects: [save, { type: 'resume_lanes' }, ...runLanes(resumed)] }
  }
  return { state: next, effects: [save, ...(state.phase === 'recording' ? runLanes(next) : [])] }
}

/** For how long a restarted agent was gone, if it was recording before. */
const noteAbsence = (state: SessionState): readonly SessionEffect[] =>
  state.comingBackTo === 'recording' ? [{ type: 'note_absence' }] : []

const capture = (state: SessionState): Step => {
  const paused =
    state.comingBackTo === 'paused' && (state.config?.pauseAllowed === true || state.breaks?.endsAt !== undefined)
  const next: SessionState = { ...state, phase: paused ? 'paused' : 'recording', comingBackTo: undefined }
  return { state: next, effects: [...noteAbsence(state), save, ...(paused ? [] : runLanes(next))] }
}

const registered = (state: SessionState, input: Extract<SessionInput, { type: 'registered' }>): Step => {
  const { config, policyVersion, callIn } = input
  // It went on without the service, which is back.
  if (isCapturing(state)) return configRead(state, { ...input, type: 'config_read', ended: false })
  return state.phase === 'registering' ? capture({ ...state, config, policyVersion, callIn }) : stay(state)
}

const restored = (state: SessionState): Step => {
  switch (state.phase) {
    case 'joining':
    case 'consenting':
      return { state: { ...state, phase: 'consenting' }, effects: [{ type: 'ask_consent' }] }
    case 'registering':
      return { state, effects: [{ type: 'register' }] }
    case 'recording':
    case 'paused':
      return {
        state: { ...state, phase: 'registering', comingBackTo: state.phase },
        effects: [{ type: 'come_back' }],
      }
    case 'finishing':
      return {
        state,
        effects: [
          ...(state.endKnown ? [] : [{ type: 'send_end', reason: state.endReason ?? 'completed' } as const]),
          { type: 'drain' },
        ],
      }
    case 'refused':
      return { state, effects: state.endKnown ? [] : [{ type: 'send_refusal' }] }
    case 'done':
    case 'failed':
      return stay(state)
  }
}

const pauseOrResume = (state: SessionState, type: 'pause' | 'resume'): Step => {
  if (type === 'pause') {
    if (state.phase !== 'recording' || !state.config?.pauseAllowed) return stay(state)
    return { state: { ...state, phase: 'paused' }, effects: [{ type: 'pause_lanes', reason: 'paused' }, save] }
  }
  if (state.phase !== 'paused') return stay(state)
  const next: SessionState = { ...endBreak(state), phase: 'recording' }
  // The policy may have changed meanwhile.
  return { state: next, effects: [{ type: 'resume_lanes' }, ...runLanes(next), save] }
}

const breakStep = (state: SessionState, type: 'take_break' | 'look_at_break', at: number): Step => {
  if (type === 'look_at_break') return breakOver(state, at) ? pauseOrResume(state, 'resume') : stay(state)
  if (!mayBreak(state)) return stay(state)
  return { state: takeBreak(state, at), effects: [{ type: 'pause_lanes', reason: 'break' }, save] }
}

const documentChanged = (state: SessionState, input: Extract<SessionInput, { type: 'document_changed' }>): Step => {
  if (state.phase !== 'registering' && state.phase !== 'consenting') return stay(state)
  return {
    state: { ...state, phase: 'consenting', config: input.config, answers: {} },
    // Asked first, so that the page that is on show changes its words and is never away.
    effects: [{ type: 'ask_consent' }, save],
  }
}

const withdraw = (state: SessionState, lane: LaneName): Step => {
  if (!isCapturing(state) || state.answers[lane] !== true) return stay(state)
  const { [lane]: _, ...declinedLater } = state.declinedLater
  const next: SessionState = { ...state, declinedLater, answers: { ...state.answers, [lane]: false } }
  const run = runLanes(next).map((effect) => (state.phase === 'paused' ? { ...effect, paused: true as const } : effect))
  return { state: next, effects: [...run, { type: 'note_withdrawn', lane }, save] }
}

const answerLater = (state: SessionState, input: Extract<SessionInput, { type: 'answered_later' }>): Step => {
  if (!isCapturing(state)) return stay(state)
  const next: SessionState = { ...state, ...answeredLater(state, input.config, input.answers) }
  // Durable before a lane starts: a restart must not ask for what was answered.
  return { state: next, effects: [save, ...(state.phase === 'recording' ? runLanes(next) : [])] }
}

/** Why a session ended that the service has removed. */
export const removedByService = 'removed_by_service'

const removed = (state: SessionState): Step => {
  const capturing = isCapturing(state)
  if (!capturing && state.phase !== 'finishing' && state.phase !== 'registering') return stay(state)
  const over = { phase: 'done', endReason: removedByService, endKnown: true, comingBackTo: undefined } as const
  const stop: readonly SessionEffect[] = capturing ? [{ type: 'stop_lanes' }] : []
  return { state: { ...state, ...over }, effects: [...stop, { type: 'stop_sending' }, { type: 'discard' }, save] }
}

/** It ended or was erased while this agent was away: what was captured before is still delivered. */
const gone = (state: SessionState): Step => {
  if (!isCapturing(state) && state.phase !== 'registering') return stay(state)
  const { state: next, effects } = finish(state, 'ended_by_service', true)
  return { state: { ...next, comingBackTo: undefined }, effects: [...noteAbsence(state), ...effects] }
}

const unlessOver = (state: SessionState, step: () => Step): Step => (isOverPhase(state.phase) ? stay(state) : step())

/** The whole life of a session on this machine, without network or disk; `at` is now, epoch ms. An input that does not fit is ignored. */
export const stepSession = (state: SessionState, input: SessionInput, at = 0): Step => {
  switch (input.type) {
    case 'restored':
      return restored(input.state)
    case 'joined':
      if (state.phase !== 'joining') return stay(state)
      return {
        state: { ...state, phase: 'consenting', config: input.config, callIn: input.callIn },
        effects: [save, { type: 'ask_consent' }],
      }
    case 'consented':
      if (state.phase !== 'consenting') return stay(state)
      return {
        state: { ...state, phase: 'registering', answers: input.answers, agreed: state.config },
        effects: [save, { type: 'register' }],
      }
    case 'consent_refused':
      if (state.phase !== 'consenting') return stay(state)
      return { state: { ...state, phase: 'refused' }, effects: [save, { type: 'send_refusal' }] }
    case 'refusal_told':
      if (state.phase !== 'refused') return stay(state)
      return { state: { ...state, endKnown: true, failure: input.failure }, effects: [save] }
    case 'document_changed':
      return documentChanged(state, input)
    case 'registered':
      return registered(state, input)
    case 'config_read':
      return configRead(state, input)
    case 'pause':
    case 'resume':
      return pauseOrResume(state, input.type)
    case 'take_break':
    case 'look_at_break':
      return breakStep(state, input.type, at)
    case 'withdraw':
      return withdraw(state, input.lane)
    case 'answered_later':
      return answerLater(state, input)
    case 'end':
      return isCapturing(state) ? finish(state, input.reason, false) : stay(state)
    case 'service_away':
      return state.phase === 'registering' && state.comingBackTo ? capture(state) : stay(state)
    case 'session_gone':
      return gone(state)
    case 'session_removed':
      return removed(state)
    case 'end_confirmed':
      return state.phase === 'finishing' ? { state: { ...state, endKnown: true }, effects: [save] } : stay(state)
    case 'drained':
      if (state.phase !== 'finishing' || !state.endKnown) return stay(state)
      return { state: { ...state, phase: 'done' }, effects: [save, { type: 'stop_sending' }] }
    case 'unauthorized':
      return unlessOver(state, () => fail(state, 'the service does not accept the session token any more'))
    case 'failed':
      return unlessOver(state, () => fail(state, input.message))
  }
}
