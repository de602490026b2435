import { momentRules } from '@integrity/protocol'
import { pageView } from '../../kernel/paging.ts'
import { iso, isoOrNull } from '../../kernel/time.ts'
import type { AppliedRule, CoveragePage } from './coverage.service.ts'
import { momentIdOf } from './moments.model.ts'
import type { Moment } from './moments.types.ts'

export const momentView = (sessionId: string, moment: Moment, around: CoveragePage['around']) => ({
  id: momentIdOf(sessionId, moment),
  at: iso(moment.at),
  untilAt: isoOrNull(moment.untilAt),
  rule: moment.rule,
  title: momentRules[moment.rule].title,
  reading: { ...moment.reading },
  atStart: moment.atStart && { ...moment.atStart },
  commonReasons: [...momentRules[moment.rule].commonReasons],
  recordedAround: around(moment),
  annotations: [],
})

export const rulesView = (rules: readonly AppliedRule[]) =>
  rules.map((one) => ({ ...one, version: momentRules[one.rule].version, text: momentRules[one.rule].text }))

export const coverageView = (sessionId: string, { lanes, page, total, around, rules }: CoveragePage) => ({
  ...pageView(page, total, (moment) => momentView(sessionId, moment, around)),
  lanes,
  rules: rulesView(rules),
})
