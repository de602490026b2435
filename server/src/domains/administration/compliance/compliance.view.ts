import {
  consentTexts,
  evidenceTypeNames,
  evidenceTypes,
  type LaneName,
  laneEnabled,
  laneNames,
  laneWords,
  policyWords,
  sessionConfig,
} from '@integrity/protocol'
import { iso } from '../../../kernel/time.ts'
import type { Processing } from './compliance.service.ts'

const byDefault = sessionConfig.parse({})
const texts = consentTexts.en

/** A lane as the registry has it, in the words that its candidates read. */
const laneView = (lane: LaneName) => ({
  lane,
  title: texts.lanes[lane].title,
  whatIsCollected: laneWords(byDefault, lane, 'en'),
  whereAskedFor: policyWords.filter((one) => one.lane === lane && !one.when(byDefault)).map(({ word }) => texts[word]),
  evidenceTypes: evidenceTypeNames.filter((type) => evidenceTypes[type].lane === lane),
  defaultOn: laneEnabled(byDefault, lane),
  mayDecline: byDefault.optionalLanes.includes(lane),
})

export const processingView = ({ at, rules, longestDays, holds, ...processing }: Processing) => ({
  generatedAt: iso(at),
  lanes: laneNames.map(laneView),
  readers: [...processing.readers],
  apiKeys: processing.apiKeys,
  ownRecipients: processing.ownRecipients.map(({ label, addedAt }) => ({ label, since: iso(addedAt) })),
  destinations: [...processing.destinations],
  retention: {
    days: rules.inForceDays,
    longestDays,
    ...(rules.inForceDays === rules.ceilingDays && { cappedBy: 'plan' as const }),
    holds,
  },
  automatedDecisions: false as const,
})
