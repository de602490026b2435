import { momentRules } from '@integrity/protocol'
import { pageView } from '../../kernel/paging.ts'
import { iso, isoOrNull } from '../../kernel/time.ts'
import type { CoveragePage } from './coverage.service.ts'
import { momentIdOf } from './moments.model.ts'

export const coverageView = (sessionId: string, { lanes, page, total, recordedAround, rules }: CoveragePage) => ({
  ...pageView(page, total, (moment) => ({
    id: momentIdOf(sessionId, moment),
    at: iso(moment.at),
    untilAt: isoOrNull(moment.untilAt),
    rule: moment.rule,
    title: momentRules[moment.rule].title,
    reading: { ...moment.reading },
    atStart: moment.atStart && { ...moment.atStart },
    commonReasons: [...momentRules[moment.rule].commonReasons],
    recordedAround: recordedAround(moment),
    annotations: [],
  })),
  lanes,
  rules: rules.map((one) => ({ ...one, version: momentRules[one.rule].version, text: momentRules[one.rule].text })),
})
