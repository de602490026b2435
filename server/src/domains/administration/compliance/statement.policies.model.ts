import {
  aidText,
  type ConsentLocale,
  consentTexts,
  type LaneName,
  laneEnabled,
  laneNames,
  laneWords,
  policyWords,
  type SessionConfig,
  sessionConfig,
} from '@integrity/protocol'
import { heldBy } from './statement.held.model.ts'
import { type StatementWords, say } from './statement.say.model.ts'
import type { Configuration, Sentence } from './statement.types.ts'

interface Described {
  readonly key: string
  readonly config: SessionConfig
  readonly name: string | null
}

const called = (t: StatementWords, { name }: Described): string =>
  name === null ? t('usual') : t('ofPolicy', { name })

/** What the words of a lane are made of. */
const factsOf = (config: SessionConfig, lane: LaneName) => ({
  declinable: config.optionalLanes.includes(lane),
  words: policyWords.filter((one) => one.lane === lane && one.when(config)).map(({ word }) => word),
  every: lane === 'screen' ? config.capture.screenshotIntervalSeconds : config.camera.stillIntervalSeconds,
})

const laneSentence = (policy: Described, lane: LaneName): Sentence =>
  say({
    section: 'collected',
    key: `lane ${policy.key} ${lane}`,
    facts: [policy.name, factsOf(policy.config, lane)],
    heldBy: heldBy.lanes,
    text: (t, locale: ConsentLocale) =>
      t('lane', {
        policy: called(t, policy),
        title: consentTexts[locale].lanes[lane].title,
        text: laneWords(policy.config, lane, locale),
        choice: t(policy.config.optionalLanes.includes(lane) ? 'mayDecline' : 'mayNotDecline'),
      }),
  })

const keptSentence = (policy: Described): Sentence =>
  say({
    section: 'kept',
    key: `policy kept ${policy.key}`,
    facts: [policy.name, policy.config.retentionDays],
    heldBy: heldBy.policies,
    text: (t) => t('policyKept', { policy: called(t, policy), days: policy.config.retentionDays }),
  })

const aidSentences = (policy: Described): Sentence[] =>
  policy.config.aids.offered.map((aid) =>
    say({
      section: 'aids',
      key: `aid ${policy.key} ${aid}`,
      facts: [policy.name],
      heldBy: heldBy.aids,
      text: (t, locale) => t('aid', { policy: called(t, policy), text: aidText(aid, locale) }),
    }),
  )

const described = ({ policies }: Configuration): Described[] => [
  { key: '', name: null, config: sessionConfig.parse({}) },
  ...policies.map(({ id, name, config }) => ({ key: id, name, config })).sort((a, b) => (a.key < b.key ? -1 : 1)),
]

/** What policies collect, how long they keep it, and what they let candidates use. */
export const policySentences = (configuration: Configuration): Sentence[] =>
  described(configuration).flatMap((policy) => [
    ...laneNames.filter((lane) => laneEnabled(policy.config, lane)).map((lane) => laneSentence(policy, lane)),
    ...(policy.name === null ? [] : [keptSentence(policy)]),
    ...aidSentences(policy),
  ])
