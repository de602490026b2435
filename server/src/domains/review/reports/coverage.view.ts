import { momentRules } from '@integrity/protocol'
import { pageView } from '../../../kernel/paging.ts'
import { iso, isoOrNull } from '../../../kernel/time.ts'
import { statementView } from '../../interviews/statements/statements.view.ts'
import type { AnnotationRow } from '../notes/notes.types.ts'
import { annotationView } from './annotations.view.ts'
import type { AppliedRule, CoveragePage } from './coverage.service.ts'
import { momentIdsOf } from './moments.model.ts'
import type { Moment } from './moments.types.ts'

const about = (annotations: readonly AnnotationRow[], momentIds: readonly (string | null)[]) =>
  annotations.filter(({ anchor }) => momentIds.includes(anchor?.momentId ?? null)).map(annotationView)

export const momentView = (
  sessionId: string,
  moment: Moment,
  {
    around,
    annotations,
    statements,
    baseRateOf,
  }: Pick<CoveragePage, 'annotations' | 'around' | 'baseRateOf' | 'statements'>,
) => {
  const ids = momentIdsOf(sessionId, moment)
  return {
    id: ids[0]!,
    at: iso(moment.at),
    untilAt: isoOrNull(moment.untilAt),
    rule: moment.rule,
    title: momentRules[moment.rule].title,
    lanes: [...moment.lanes],
    reading: { ...moment.reading },
    atStart: moment.atStart && { ...moment.atStart },
    commonReasons: [...momentRules[moment.rule].commonReasons],
    baseRate: baseRateOf(moment.rule),
    recordedAround: around(moment),
    annotations: about(annotations, ids),
    statements: statements.filter(({ momentId }) => momentId !== null && ids.includes(momentId)).map(statementView),
  }
}

export const rulesView = (rules: readonly AppliedRule[]) =>
  rules.map((one) => ({ ...one, version: momentRules[one.rule].version, text: momentRules[one.rule].text }))

export const coverageView = (sessionId: string, coverage: CoveragePage) => {
  const { lanes, page, total, rules, annotations, captureChain } = coverage
  return {
    ...pageView(page, total, (moment) => momentView(sessionId, moment, coverage)),
    lanes,
    annotations: about(annotations, [null]),
    captureChain,
    rules: rulesView(rules),
  }
}
