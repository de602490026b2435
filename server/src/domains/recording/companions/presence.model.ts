export type RecordingState = 'off' | 'on' | 'interrupted'

/** What a phone is doing, as far as its beats say. `recording` is the last word that was not "interrupted". */
export interface PhoneState {
  readonly recording: 'off' | 'on'
  /** Epoch milliseconds; null while nothing is wrong. */
  readonly interruptedAt: number | null
  /** The newest beat that counted, by the phone's clock. */
  readonly lastBeatAt: number | null
}
export interface WalkedBeat {
  readonly at: number
  readonly recording: RecordingState
}
export interface PhoneEvent {
  readonly type: 'recording_started' | 'recording_stopped' | 'interrupted' | 'resumed'
  /** Epoch milliseconds. */
  readonly at: number
}

const opposites: readonly (readonly PhoneEvent['type'][])[] = [
  ['recording_started', 'recording_stopped'],
  ['interrupted', 'resumed'],
]

/**
 * What is left to be told of changes that happened one after another: of a state that is another now the last change, of
 * one that went and came back the last way there and back.
 */
export const settledChanges = (events: readonly PhoneEvent[]): PhoneEvent[] => {
  const kept = opposites.flatMap((types) => {
    const changes = events.filter(({ type }) => types.includes(type))
    return changes.slice(changes.length % 2 === 0 ? -2 : -1)
  })
  return events.filter((event) => kept.includes(event))
}

const step = (state: PhoneState, beat: WalkedBeat): { state: PhoneState; events: PhoneEvent[] } => {
  const lastBeatAt = beat.at
  if (beat.recording === 'interrupted') {
    const events: PhoneEvent[] = state.interruptedAt === null ? [{ type: 'interrupted', at: beat.at }] : []
    return { state: { ...state, lastBeatAt, interruptedAt: state.interruptedAt ?? beat.at }, events }
  }
  const events: PhoneEvent[] = []
  // A queue sent late may begin before the silence was noticed: the return is never earlier than the interruption.
  if (state.interruptedAt !== null) events.push({ type: 'resumed', at: Math.max(beat.at, state.interruptedAt) })
  if (beat.recording !== state.recording)
    events.push({ type: beat.recording === 'on' ? 'recording_started' : 'recording_stopped', at: beat.at })
  return { state: { recording: beat.recording, interruptedAt: null, lastBeatAt }, events }
}

/**
 * Walks new beats in the order of their own time. One that is not newer than the last that counted changes nothing:
 * batches may come late and in any order, and one gap is told of once.
 */
export const walkBeats = (
  before: PhoneState,
  beats: readonly WalkedBeat[],
): { state: PhoneState; events: PhoneEvent[] } => {
  let state = before
  const events: PhoneEvent[] = []
  for (const beat of [...beats].sort((a, b) => a.at - b.at)) {
    if (state.lastBeatAt !== null && beat.at <= state.lastBeatAt) continue
    const next = step(state, beat)
    state = next.state
    events.push(...next.events)
  }
  return { state, events }
}
