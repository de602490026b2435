import { type GapReason, type LaneName, recordedLanes } from '@integrity/protocol'
import {
  begin,
  captures,
  chunkedUpload,
  end,
  firstNo,
  inOrder,
  keeps,
  phone,
  type Sight,
  type Step,
  sight,
  talk,
} from './sandbox.steps.model.ts'

/** A lane that is away for a while, with the words for both of its steps. */
const away = (lane: LaneName, reason: GapReason, span: readonly [number, number], words: readonly [string, string]) =>
  span.map(
    (at, index): Step => ({
      at,
      what: words[index] ?? '',
      act: { do: 'lane', lane, away: index === 0 ? reason : null },
    }),
  )

const front = (at: number, application: string): Step =>
  sight(
    at,
    { kind: 'foreground.changed', source: 'foreground', value: { application } },
    `The program ${application} comes to the front.`,
  )

const second = { id: 'sim-display-2', x: 640, y: 0, width: 640, height: 360, primary: false }
const remote = { program: 'AnyDesk', kind: 'remote_control' as const, process: 'anydesk', catalogueVersion: 2 }
const virtualCamera = {
  kind: 'camera' as const,
  name: 'OBS Virtual Camera',
  listed: { device: 'OBS Virtual Camera', kind: 'virtual_camera' as const, listVersion: 1 },
}
const overlay = { application: 'Notes', bounds: { x: 40, y: 40, width: 240, height: 120 } }

const recorder = {
  program: 'Sound Recorder',
  process: 'sound-recorder',
  of: 'speakers' as const,
  device: 'Monitor of Headset',
}

const seen = (at: number, what: string, said: Sight): Step => sight(at, said, what)

const observed: readonly Step[] = [
  seen(12, 'The computer looks like a virtual machine, and did so before.', {
    kind: 'vm.hint',
    source: 'virtual_machine',
    value: { from: 'model', value: 'Simulated Machine' },
    before: true,
  }),
  front(65, 'Editor'),
  front(245, 'Browser'),
  front(290, 'Editor'),
  seen(355, 'No keyboard or mouse input for a while.', {
    kind: 'idle.started',
    source: 'idle',
    value: { idleMs: 60_000 },
  }),
  seen(415, 'Keyboard or mouse input again.', { kind: 'idle.ended', source: 'idle', value: { idleMs: 120_000 } }),
  seen(432, 'The clipboard is used.', { kind: 'clipboard.used', source: 'clipboard', value: { times: 3 } }),
  seen(485, 'A second display is connected.', { kind: 'display.added', source: 'displays', value: second }),
  seen(522, 'A program of the published list runs.', { kind: 'process.matched', source: 'processes', value: remote }),
  seen(545, 'A virtual camera is connected.', { kind: 'device.added', source: 'devices', value: virtualCamera }),
  seen(613, 'The listed program has ended.', { kind: 'process.ended', source: 'processes', value: remote }),
  seen(642, 'The virtual camera is gone.', { kind: 'device.removed', source: 'devices', value: virtualCamera }),
  seen(668, 'A program records what the computer plays.', {
    kind: 'listener.started',
    source: 'listeners',
    value: recorder,
  }),
  seen(688, 'The program no longer records.', {
    kind: 'listener.ended',
    source: 'listeners',
    value: { ...recorder, durationMs: 20_000 },
  }),
  seen(692, 'The sound comes from a headset.', {
    kind: 'output.changed',
    source: 'output_devices',
    value: { name: 'Headset' },
  }),
  seen(696, 'A second keyboard is connected.', {
    kind: 'hid.changed',
    source: 'hid',
    value: [{ kind: 'keyboard', bus: 'usb', count: 2 }],
  }),
  seen(704, 'One display is left.', {
    kind: 'display.identified',
    source: 'display_identity',
    value: [{ display: 'sim-display', connection: 'HDMI', maker: 'SIM' }],
  }),
  seen(730, 'The desktop is shown on another computer.', {
    kind: 'remote_session.started',
    source: 'remote_session',
    value: { from: 'program', value: 'x11vnc' },
  }),
  seen(742, 'The desktop is no longer shown elsewhere.', {
    kind: 'remote_session.ended',
    source: 'remote_session',
    value: { from: 'program', value: 'x11vnc' },
  }),
  seen(738, 'A program sends keys.', {
    kind: 'input.origin',
    source: 'input_origin',
    value: { seconds: 60, synthetic: 50, hardwareSeconds: 20 },
  }),
  seen(870, 'The picture of the camera stays the same.', {
    kind: 'picture.unchanged_started',
    source: 'picture_unchanged',
    value: { lane: 'camera', singleColour: true, unchangedMs: 60_000 },
  }),
  seen(890, 'The picture of the camera changes again.', {
    kind: 'picture.unchanged_ended',
    source: 'picture_unchanged',
    value: { lane: 'camera', singleColour: true, durationMs: 80_000 },
  }),
  seen(703, 'The second display is gone.', { kind: 'display.removed', source: 'displays', value: second }),
  seen(902, 'The screen is locked.', { kind: 'screen.locked', source: 'screen_lock', value: { locked: true } }),
  seen(958, 'The screen is unlocked.', { kind: 'screen.unlocked', source: 'screen_lock', value: { locked: false } }),
  seen(1215, 'The network is another one than before.', {
    kind: 'network.changed',
    source: 'network',
    value: [{ interface: 'simulated-2', families: ['IPv4', 'IPv6'] }],
  }),
  seen(1262, "The computer's clock is set an hour ahead.", {
    kind: 'clock.jumped',
    source: 'clock',
    value: { jumpMs: 3_600_000 },
  }),
  seen(1445, 'A program keeps a window out of recordings.', {
    kind: 'window.exclusion_started',
    source: 'excluded_windows',
    value: overlay,
  }),
  seen(1503, 'The window can be recorded again.', {
    kind: 'window.exclusion_ended',
    source: 'excluded_windows',
    value: { ...overlay, durationMs: 58_000 },
  }),
  seen(1561, 'The computer goes to sleep.', { kind: 'power.suspended', source: 'sleep', value: {} }),
  seen(1619, 'The computer wakes up.', { kind: 'power.resumed', source: 'sleep', value: { asleepMs: 58_000 } }),
]

const asleep = recordedLanes.flatMap((lane) =>
  away(
    lane,
    'asleep_or_locked',
    [1562, 1618],
    [`The computer sleeps: nothing of ${lane} is captured.`, `The computer is awake: ${lane} is captured again.`],
  ),
)

const lanesAway: readonly Step[] = [
  ...away('camera', 'unplugged', [752, 808], ['The camera is unplugged.', 'The camera is plugged in again.']),
  ...away(
    'screen',
    'asleep_or_locked',
    [903, 957],
    ['The screen is locked: nothing of it is captured.', 'The screen is captured again.'],
  ),
  ...away(
    'microphone',
    'permission_lapsed',
    [1352, 1417],
    ['The system takes the microphone away.', 'The microphone is captured again.'],
  ),
  ...away(
    'screen',
    'driver_failed',
    [1531, 1547],
    ['The program that captures the screen fails.', 'The screen is captured again.'],
  ),
  ...asleep,
]

const told = (at: number, what: string, said: Extract<Step['act'], { do: 'tell' }>['told']): Step => ({
  at,
  what,
  act: { do: 'tell', told: said },
})

const ofItself: readonly Step[] = [
  told(1218, 'Pictures get coarser, to fit the network.', { kind: 'quality.changed', data: { level: 2 } }),
  told(1308, 'Pictures are as fine as before.', { kind: 'quality.changed', data: { level: 0 } }),
  told(1265, 'Times are put right by the clock of the service.', {
    kind: 'clock.corrected',
    data: { movedMs: -3_600_000 },
  }),
  told(1351, 'The microphone may no longer be used.', {
    kind: 'permission.changed',
    data: { permission: 'microphone', state: 'denied' },
  }),
  told(1416, 'The microphone may be used again.', {
    kind: 'permission.changed',
    data: { permission: 'microphone', state: 'granted' },
  }),
]

const phoneTrouble: readonly Step[] = [
  phone(20, 'companion.paired', 'A phone claims its join code.'),
  phone(40, 'companion.placement_confirmed', 'The phone is placed.'),
  phone(50, 'companion.recording_started', 'The phone records.'),
  phone(662, 'companion.interrupted', 'The phone is interrupted, as by a call.'),
  phone(724, 'companion.resumed', 'The phone is back.'),
  phone(1790, 'companion.recording_stopped', 'The phone stops recording.'),
]

const connection: readonly Step[] = [
  {
    at: 1055,
    what: 'The connection breaks: the lanes go down.',
    act: { do: 'lanes', health: 'down', reason: 'offline' },
  },
  {
    at: 1195,
    what: 'The agent is back: it reports the time for which it has nothing, and the lanes are up.',
    act: { do: 'reconnect' },
  },
  { at: 1205, what: 'What was kept while offline arrives.', act: { do: 'deliver' } },
]

/** Seconds in which nothing of what is said reaches the agent: no connection, no microphone, a computer that sleeps. */
const silent = [
  [1055, 1205],
  [1352, 1440],
  [1562, 1640],
] as const

/** Half an hour in which it all happens, one thing after the other, so that each can be told from the next. */
export const everythingGoesWrong = (): Step[] => [
  firstNo,
  ...inOrder(
    begin(),
    observed,
    lanesAway,
    ofItself,
    phoneTrouble,
    connection,
    captures(30, 1050),
    keeps(1080, 1110),
    captures(1230, 1710),
    keeps(1740, 1770),
    talk(15, 1720).filter(({ at }) => !silent.some(([from, to]) => at >= from && at <= to)),
    [
      chunkedUpload(810),
      end(1800),
      { at: 1860, what: 'What was captured before the end arrives, with its coverage.', act: { do: 'deliver' } },
      { at: 1950, what: 'The last of the late deliveries are due.', act: { do: 'rest' } },
    ],
  ),
]
