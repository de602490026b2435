import type { BodyInputOf, EndpointMap } from '@integrity/protocol'
import type { Session } from './interview-types.ts'

type Config = Session['config']
type Patch = BodyInputOf<EndpointMap['portal.sessions.patch']>

/** What may be switched for one interview, by the paths of the contract. */
export const switches = [
  'capture.enabled',
  'audio.microphone',
  'audio.systemAudio',
  'audio.transcript',
  'camera.enabled',
  'sideView.enabled',
  'signals',
  'windowTitles',
  'pauseAllowed',
] as const

export const numbers = ['retentionDays', 'capture.screenshotIntervalSeconds', 'camera.stillIntervalSeconds'] as const

export type Setting = (typeof switches)[number] | (typeof numbers)[number] | 'requiredApps'
export type RecordedWords = Readonly<Record<Setting, string>>

/** What the form says of a config. */
export const recordedWords = ({ capture, audio, camera, sideView, ...config }: Config): RecordedWords => ({
  'capture.enabled': String(capture.enabled),
  'audio.microphone': String(audio.enabled && audio.microphone),
  'audio.systemAudio': String(audio.enabled && audio.systemAudio),
  'audio.transcript': String(audio.enabled && audio.transcript),
  'camera.enabled': String(camera.enabled),
  'sideView.enabled': String(sideView.enabled),
  signals: String(config.signals),
  windowTitles: String(config.windowTitles),
  pauseAllowed: String(config.pauseAllowed),
  retentionDays: String(config.retentionDays),
  'capture.screenshotIntervalSeconds': String(capture.screenshotIntervalSeconds),
  'camera.stillIntervalSeconds': String(camera.stillIntervalSeconds),
  requiredApps: config.requiredApps.join('\n'),
})

const settingOf = (setting: Setting, words: string): unknown => {
  if (setting === 'requiredApps')
    return words
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  if (numbers.some((number) => number === setting)) return words.trim() === '' ? Number.NaN : Number(words)
  return words === 'true'
}

export const changedSettings = (before: RecordedWords, after: RecordedWords): Setting[] =>
  (Object.keys(before) as Setting[]).filter((setting) => before[setting] !== after[setting])

/** What the writer changed on top of what somebody else has saved meanwhile. */
export const rebased = (before: RecordedWords, mine: RecordedWords, theirs: Config): RecordedWords => ({
  ...recordedWords(theirs),
  ...Object.fromEntries(changedSettings(before, mine).map((setting) => [setting, mine[setting]])),
})

/** What was changed and nothing else, so that what others change meanwhile stays. A number that is none is sent as it is, and refused. */
export const patchOf = (config: Config, after: RecordedWords): Patch => {
  const before = recordedWords(config)
  const patch: Record<string, unknown> = {}
  for (const setting of changedSettings(before, after)) {
    const [group = '', name] = setting.split('.')
    const value = settingOf(setting, after[setting])
    patch[group] = name === undefined ? value : { ...(patch[group] as object | undefined), [name]: value }
  }
  // Where all sound was off at once, one that is wanted needs the whole on, and the others off by themselves.
  if (!config.audio.enabled && patch['audio'] !== undefined)
    patch['audio'] = {
      enabled: true,
      ...Object.fromEntries(
        (['microphone', 'systemAudio', 'transcript'] as const).map((name) => [name, after[`audio.${name}`] === 'true']),
      ),
    }
  return patch as Patch
}
