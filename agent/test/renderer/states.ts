import { agentLanes, type LaneName, sessionConfig } from '@integrity/protocol'
import { consentDocument } from '../../../server/src/domains/interviews/sessions/consent/consent.model.ts'
import type { WindowState } from '../../src/shared/ipc/window-state.ts'

/** 2026-11-21, half past ten in the morning, UTC. */
export const startedAt = Date.UTC(2026, 10, 21, 10, 30)

export const buildState = (change: Partial<WindowState> = {}): WindowState => ({
  screen: 'code',
  version: '1.4.0',
  platform: 'linux',
  keyProtection: 'os_key_store',
  locale: 'en',
  network: { state: 'online', live: true, lastAnswerAt: startedAt },
  unsent: { items: 0, events: 0, bytes: 0 },
  sent: { items: 0, bytes: 0 },
  update: { state: 'none' },
  notices: [],
  ...change,
})

const session = {
  id: 'ses_01jdyqk3vfe2t8m4w6p0c9x7hz',
  orgName: 'Harbour & Sons',
  schedule: { startsAt: '2026-11-26T13:30:00.000Z', durationMinutes: 45, timeZone: 'Europe/Berlin' },
  inviter: { name: 'Meera Nair', replyTo: 'meera@harbour.example' },
}
const server = 'https://interviews.harbour.example'

/** The document as the server makes it of this policy. */
export const buildConsent = (policy: object = {}): NonNullable<WindowState['consent']> => {
  const config = sessionConfig.parse(policy)
  return {
    document: consentDocument(config),
    config,
    capabilities: [
      { observer: 'displays', status: 'observable' },
      {
        observer: 'foreground',
        status: 'not_observable',
        why: 'on Wayland the foreground application cannot be observed',
      },
      {
        observer: 'clipboard',
        status: 'not_observable',
        why: 'this desktop tells of the clipboard only with its content',
      },
    ],
  }
}

export const consentState = (policy: object = {}, change: Partial<WindowState> = {}): WindowState =>
  buildState({ screen: 'consent', server, session, consent: buildConsent(policy), ...change })

type Checked = NonNullable<WindowState['check']>['lanes'][number]
export const buildChecked = (lane: LaneName, change: Partial<Checked> = {}): Checked => ({
  lane,
  state: 'working',
  devices: [],
  displays: [],
  settings: false,
  needsRestart: false,
  ...change,
})

export const checkState = (lanes: readonly Checked[], change: Partial<WindowState> = {}): WindowState =>
  consentState({}, { screen: 'check', check: { lanes: [...lanes], speakerTest: 'idle' }, ...change })

const displays = (working: boolean) => [
  { id: 'eDP-1', label: 'eDP-1', working: true },
  { id: 'HDMI-1', label: 'HDMI-1', working },
]
const cameras = [
  { id: '/dev/video0', label: 'Integrated Camera' },
  { id: '/dev/video2', label: 'HD Webcam C920' },
]

export const workingCheck = checkState([
  buildChecked('screen', { driver: 'ffmpeg', displays: displays(true) }),
  buildChecked('microphone', { driver: 'ffmpeg', device: 'Built-in Microphone' }),
  buildChecked('system_audio', { driver: 'ffmpeg', device: 'Monitor of Built-in Audio' }),
  buildChecked('camera', { driver: 'ffmpeg', device: 'Integrated Camera', devices: cameras }),
  buildChecked('signals'),
])

/** What may go wrong in the device check, with the steps of one operating system. */
export const troubledCheck = (platform: WindowState['platform']): WindowState =>
  checkState(
    [
      buildChecked('screen', { state: 'denied', settings: true, needsRestart: platform === 'darwin' }),
      buildChecked('microphone', { state: 'silent', device: 'Built-in Microphone' }),
      buildChecked('system_audio', { state: 'not_observable', detail: 'no monitor source' }),
      buildChecked('camera', { state: 'denied', settings: true, devices: cameras }),
      buildChecked('transcript', { state: 'failed', detail: 'exit code 1' }),
      buildChecked('signals', { state: 'trying' }),
    ],
    { platform },
  )

type Recorded = NonNullable<WindowState['recording']>['lanes'][number]
const titles = Object.fromEntries(
  buildConsent({ audio: { transcript: true } }).document.lanes.map((one) => [one.lane, one.title]),
)
export const buildRecorded = (lane: LaneName, change: Partial<Recorded> = {}): Recorded => ({
  lane,
  title: titles[lane] ?? lane,
  state: 'up',
  since: startedAt,
  lastSampleAt: startedAt + 245_000,
  displays: [],
  captured: 24,
  coverage: { expectedSeconds: 245, observedSeconds: 245 },
  withdrawable: true,
  ...change,
})

const recordedDisplays: Recorded['displays'] = [
  { id: 'eDP-1', state: 'up' },
  { id: 'HDMI-1', state: 'up' },
]
const workingLanes = (): Recorded[] =>
  agentLanes
    .filter((lane) => lane !== 'transcript')
    .map((lane) => buildRecorded(lane, lane === 'screen' ? { displays: recordedDisplays } : {}))

export const recordingState = (
  lanes: readonly Recorded[] = workingLanes(),
  change: Partial<WindowState> = {},
): WindowState =>
  consentState(
    {},
    {
      screen: 'recording',
      recording: { startedAt, pauseAllowed: true, lanes: [...lanes], requiredApps: [] },
      unsent: { items: 3, events: 1, bytes: 412_000 },
      sent: { items: 91, bytes: 14_600_000 },
      phone: { state: 'none' },
      ...change,
    },
  )

type Asked = NonNullable<NonNullable<WindowState['recording']>['asked']>
/** A lane that is new and one that was widened, asked about while it records. */
export const buildAsked = (lanes?: Asked['lanes'], policy: object = {}): Asked => {
  const config = sessionConfig.parse({ capture: { recording: true }, ...policy })
  const before = buildConsent().document.lanes.find(({ lane }) => lane === 'screen')?.text ?? ''
  return {
    document: consentDocument(config),
    config,
    lanes: lanes ?? [
      { lane: 'screen', before, sending: false },
      { lane: 'microphone', sending: false },
    ],
  }
}

/** As `recordingState`, with what is asked about beside it. */
export const askingState = (asked: Asked = buildAsked()): WindowState => {
  const lanes = [
    buildRecorded('screen'),
    buildRecorded('microphone', { state: 'not_asked', withdrawable: false }),
    buildRecorded('signals'),
  ]
  return recordingState(lanes, {
    consent: undefined,
    recording: { startedAt, pauseAllowed: true, lanes, requiredApps: [], asked },
  })
}

/** Each state that a lane can be in, and everything that the window may have to say beside it. */
export const troubledRecording = recordingState(
  [
    buildRecorded('screen', {
      state: 'degraded',
      reason: 'display_not_observed',
      displays: [
        { id: 'eDP-1', state: 'up' },
        { id: 'HDMI-1', state: 'down', reason: 'driver_failed' },
      ],
    }),
    buildRecorded('microphone', { state: 'down', reason: 'unplugged' }),
    buildRecorded('system_audio', { state: 'starting', captured: 0 }),
    buildRecorded('camera', { state: 'withdrawn', withdrawable: false }),
    buildRecorded('transcript', { state: 'not_asked', withdrawable: false }),
    buildRecorded('side_view', { state: 'off', withdrawable: false }),
    buildRecorded('room_camera', { state: 'declined', withdrawable: false }),
    buildRecorded('signals', { captured: 1234 }),
  ],
  {
    network: { state: 'offline', live: false, lastAnswerAt: startedAt, nextTryAt: startedAt + 300_000 },
    unsent: { items: 240, events: 31, bytes: 51_000_000 },
    clockAheadMs: 245_000,
    update: { state: 'ready', version: '1.5.0' },
    notices: [
      { id: 'n1', kind: 'thinned', at: startedAt, items: 1200 },
      { id: 'n2', kind: 'storage_full', at: startedAt },
    ],
  },
)

export const pausedState = recordingState(
  agentLanes.filter((lane) => lane !== 'transcript').map((lane) => buildRecorded(lane, { state: 'paused' })),
  { screen: 'paused' },
)

/** Of an interview without pauses in which breaks were agreed; while one runs, `endsAt` says until when. */
export const breakState = (breaks: { readonly left: number; readonly endsAt?: number }): WindowState => {
  const lanes = workingLanes().map((lane) =>
    breaks.endsAt === undefined ? lane : { ...lane, state: 'paused' as const },
  )
  const agreed = { minutes: 5, ...breaks }
  return recordingState(lanes, {
    screen: breaks.endsAt === undefined ? 'recording' : 'paused',
    recording: { startedAt, pauseAllowed: false, lanes, requiredApps: [], breaks: agreed },
  })
}

/** Over: the window offers the way to what is kept. */
export const endedSession = { ...session, requestsAddress: `${server}/requests/#${session.id}` }

export const finishingState = recordingState(undefined, {
  screen: 'finishing',
  session: endedSession,
  ended: { by: 'candidate', at: startedAt + 3_600_000 },
})

export const doneState = recordingState(undefined, {
  screen: 'done',
  session: endedSession,
  ended: { by: 'candidate', at: startedAt + 3_600_000 },
  unsent: { items: 0, events: 0, bytes: 0 },
  sent: {
    items: 1312,
    bytes: 58_300_000,
    events: 87,
    byType: { screenshot: 352, audio_chunk: 360, system_audio_chunk: 360, camera_frame: 240 },
  },
})
