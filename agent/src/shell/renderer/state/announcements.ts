import type { WindowState } from '../../../shared/ipc/window-state.ts'
import type { WindowText } from '../texts/window.ts'
import type { LaneName } from './consent-answers.ts'

type RecordedLane = NonNullable<WindowState['recording']>['lanes'][number]
/** What is read out; `lane`, `state` and `app` are put into the text in the language of the window. */
export interface Announcement {
  readonly key: WindowText
  readonly lane?: LaneName
  readonly state?: RecordedLane['state']
  readonly app?: string
}

const observes = (state: RecordedLane['state']) => state === 'up'

const ofLane = (before: RecordedLane | undefined, { lane, state }: RecordedLane): Announcement[] => {
  if (!before || before.state === state) return []
  // Pausing and going on concern all lanes, and are said once.
  const quiet = state === 'starting' || state === 'paused' || before.state === 'paused' || before.state === 'starting'
  if (quiet) return []
  return observes(state) ? [{ key: 'said.up', lane }] : [{ key: 'said.lost', lane, state }]
}

const ofNetwork = (before: WindowState, now: WindowState): Announcement[] => {
  const was = before.network.state
  const is = now.network.state
  if (is === 'offline' && was !== 'offline') return [{ key: 'said.offline' }]
  return is === 'online' && was === 'offline' ? [{ key: 'said.online' }] : []
}

const ofPhone = (before: WindowState, now: WindowState): Announcement[] => {
  const is = now.phone?.state
  if (!is || is === before.phone?.state) return []
  if (is === 'paired') return [{ key: 'said.paired' }]
  if (is === 'interrupted') return [{ key: 'said.phoneInterrupted' }]
  return is === 'ended' ? [{ key: 'said.phoneEnded' }] : []
}

const ofAsked = (before: WindowState, now: WindowState): Announcement[] => {
  const known = new Set(before.recording?.asked?.lanes.map(({ lane }) => lane))
  const lanes = now.recording?.asked?.lanes.filter(({ lane }) => !known.has(lane)) ?? []
  return lanes.map(({ lane }) => ({ key: 'said.asked', lane }))
}

const ofCall = (before: WindowState, now: WindowState): Announcement[] => {
  const app = now.session?.callIn
  return app === undefined || app === before.session?.callIn ? [] : [{ key: 'callIn', app }]
}

/** What a person who does not see the lights has to hear of this change: what was lost and what came back, no counts. */
export const announcementsOf = (before: WindowState, now: WindowState): readonly Announcement[] => {
  if (!before.recording || !now.recording) return []
  if (before.screen !== now.screen)
    return now.screen === 'paused'
      ? [{ key: 'pausedState' }]
      : now.screen === 'recording'
        ? [{ key: 'recordingState' }]
        : []
  const lanes = before.recording.lanes
  return [
    ...now.recording.lanes.flatMap((lane) =>
      ofLane(
        lanes.find((other) => other.lane === lane.lane),
        lane,
      ),
    ),
    ...ofNetwork(before, now),
    ...ofPhone(before, now),
    ...ofAsked(before, now),
    ...ofCall(before, now),
  ]
}
