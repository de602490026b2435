import type { ConsentTexts } from './consent-texts.ts'
import { type ConsentLocale, consentTexts } from './consent-texts.ts'
import type { LaneName } from './domains/interviews/lanes/lanes.registry.ts'
import type { SessionConfig } from './domains/interviews/sessions/sessions.config.ts'

export interface PolicyWord {
  readonly lane: LaneName
  /** When it is said, for the reference. */
  readonly where: string
  readonly when: (config: SessionConfig) => boolean
  /** Said in place of the lane's text, not after it. */
  readonly instead?: true
  readonly word: { [K in keyof ConsentTexts]: ConsentTexts[K] extends string ? K : never }[keyof ConsentTexts]
}

/**
 * What is said of a lane beside its text, as the policy has it: the one list from which the consent document, the reference and
 * the statement of data processing take it.
 */
export const policyWords: readonly PolicyWord[] = [
  { lane: 'screen', where: '`capture.recording`', when: ({ capture }) => capture.recording, word: 'screenFilm' },
  {
    lane: 'camera',
    where: '`camera.clips`',
    when: ({ camera }) => camera.clips && camera.stills,
    word: 'cameraClips',
  },
  {
    lane: 'camera',
    where: '`camera.clips` without `camera.stills`, instead',
    when: ({ camera }) => camera.clips && !camera.stills,
    instead: true,
    word: 'cameraClipsOnly',
  },
  {
    lane: 'microphone',
    where: '`audio.candidateOnly`',
    when: ({ audio }) => audio.candidateOnly,
    word: 'microphoneCandidateOnly',
  },
  {
    lane: 'transcript',
    where: '`audio.candidateOnly`, instead',
    when: ({ audio }) => audio.candidateOnly,
    instead: true,
    word: 'transcriptCandidateOnly',
  },
  { lane: 'signals', where: 'without `windowTitles`', when: ({ windowTitles }) => !windowTitles, word: 'signalsNever' },
  { lane: 'signals', where: '`windowTitles`', when: ({ windowTitles }) => windowTitles, word: 'signalsWithTitles' },
]

const everyOf = (config: SessionConfig, lane: LaneName, texts: ConsentTexts): string => {
  const seconds = lane === 'screen' ? config.capture.screenshotIntervalSeconds : config.camera.stillIntervalSeconds
  return seconds === 1 ? texts.everySecond : texts.everySeconds.replace('{n}', String(seconds))
}

/** What is collected in a lane under this policy, in words. */
export const laneWords = (config: SessionConfig, lane: LaneName, locale: ConsentLocale): string => {
  const texts = consentTexts[locale]
  const said = policyWords.filter((one) => one.lane === lane && one.when(config))
  const own = texts.lanes[lane].text.replace('{every}', everyOf(config, lane, texts))
  const begin = said.some(({ instead }) => instead) ? [] : [own]
  return [...begin, ...said.map(({ word }) => texts[word])].join(' ')
}
