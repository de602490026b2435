import type { ReadResult } from '../../data/desk-api.ts'
import { namesBelow } from '../../words/desk.ts'
import { aidNames } from './aid-names.ts'

export type Policy = ReadResult<'portal.policies.get'>
export type Config = Policy['config']
/** As it is sent: what candidates declare is none of a policy. */
export type WrittenConfig = Omit<Config, 'aids'> & { readonly aids: Omit<Config['aids'], 'declared'> }
export type Lane = Config['optionalLanes'][number]

/** The settings of a policy by their paths, as a form has them. */
export type ConfigWords = Readonly<Record<string, string>>

/** The lanes that a candidate may be allowed to decline. */
export const lanes: readonly Lane[] = namesBelow('lane')

/** What a policy asks for that says nothing, as the contract has it. */
export const usualConfig: Config = {
  retentionDays: 90,
  capture: { enabled: true, screenshotIntervalSeconds: 10, quality: 75, recording: false },
  audio: {
    enabled: true,
    microphone: true,
    systemAudio: true,
    transcript: false,
    candidateOnly: false,
    chunkSeconds: 10,
  },
  camera: { enabled: true, stills: true, stillIntervalSeconds: 15, clips: false, clipSeconds: 10 },
  sideView: { enabled: false, previewIntervalSeconds: 10, recording: false },
  aids: { offered: [], breaks: { count: 2, minutes: 10 }, declared: [] },
  signals: true,
  observersOff: [],
  windowTitles: false,
  baseRates: true,
  pauseAllowed: false,
  optionalLanes: lanes.filter((lane) => lane !== 'screen' && lane !== 'signals'),
  requiredApps: [],
}

const groups = ['capture', 'audio', 'camera', 'sideView'] as const

/** Lists as lines: the lanes in the order of the contract, so that the same choice reads the same. */
export const wordsOf = (config: WrittenConfig): ConfigWords => ({
  retentionDays: String(config.retentionDays),
  ...Object.fromEntries(
    groups.flatMap((group) =>
      Object.entries(config[group]).map(([name, value]) => [`${group}.${name}`, String(value)]),
    ),
  ),
  'aids.offered': aidNames.filter((aid) => config.aids.offered.includes(aid)).join('\n'),
  'aids.breaks.count': String(config.aids.breaks.count),
  'aids.breaks.minutes': String(config.aids.breaks.minutes),
  signals: String(config.signals),
  observersOff: config.observersOff.join('\n'),
  baseRates: String(config.baseRates),
  windowTitles: String(config.windowTitles),
  pauseAllowed: String(config.pauseAllowed),
  optionalLanes: lanes.filter((lane) => config.optionalLanes.includes(lane)).join('\n'),
  requiredApps: config.requiredApps.join('\n'),
})

/** Every setting of a policy, by its path. */
export const settingPaths: readonly string[] = Object.keys(wordsOf(usualConfig))

const linesOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** What the form says, as it is sent. A number that is none is sent as such, and the service names its field. */
export const configOf = (words: ConfigWords): WrittenConfig => {
  const number = (path: string) => (words[path]?.trim() === '' ? Number.NaN : Number(words[path]))
  const on = (path: string) => words[path] === 'true'
  const chosen = linesOf(words['optionalLanes'])
  const offered = linesOf(words['aids.offered'])
  return {
    retentionDays: number('retentionDays'),
    capture: {
      enabled: on('capture.enabled'),
      screenshotIntervalSeconds: number('capture.screenshotIntervalSeconds'),
      quality: number('capture.quality'),
      recording: on('capture.recording'),
    },
    audio: {
      enabled: on('audio.enabled'),
      microphone: on('audio.microphone'),
      systemAudio: on('audio.systemAudio'),
      transcript: on('audio.transcript'),
      candidateOnly: on('audio.candidateOnly'),
      chunkSeconds: number('audio.chunkSeconds'),
    },
    camera: {
      enabled: on('camera.enabled'),
      stills: on('camera.stills'),
      stillIntervalSeconds: number('camera.stillIntervalSeconds'),
      clips: on('camera.clips'),
      clipSeconds: number('camera.clipSeconds'),
    },
    sideView: {
      enabled: on('sideView.enabled'),
      previewIntervalSeconds: number('sideView.previewIntervalSeconds'),
      recording: on('sideView.recording'),
    },
    aids: {
      offered: aidNames.filter((aid) => offered.includes(aid)),
      breaks: { count: number('aids.breaks.count'), minutes: number('aids.breaks.minutes') },
    },
    signals: on('signals'),
    observersOff: linesOf(words['observersOff']),
    baseRates: on('baseRates'),
    windowTitles: on('windowTitles'),
    pauseAllowed: on('pauseAllowed'),
    optionalLanes: lanes.filter((lane) => chosen.includes(lane)),
    requiredApps: linesOf(words['requiredApps']),
  }
}

/** The settings that two configs do not have in common, by their paths. */
export const differencesOf = (
  before: WrittenConfig,
  after: WrittenConfig,
): { path: string; before: string; after: string }[] => {
  const [one, other] = [wordsOf(before), wordsOf(after)]
  return Object.keys(one).flatMap((path) =>
    one[path] === other[path] ? [] : [{ path, before: one[path] ?? '', after: other[path] ?? '' }],
  )
}
