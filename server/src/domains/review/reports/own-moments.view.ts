import { momentRules } from '@integrity/protocol'
import { iso, isoOrNull } from '../../../kernel/time.ts'
import type { StatementRow } from '../../interviews/statements/statements.types.ts'
import { momentIdsOf } from './moments.model.ts'
import type { OwnMoments } from './own-moments.service.ts'

/** Words of which nothing was erased: those of an erased interview are not shown. */
const ownStatement = ({ requestId, at, text, readAt }: StatementRow) => ({
  requestId,
  at: iso(at),
  text: text ?? '',
  readAt: isoOrNull(readAt),
})

/** The moments as their candidate sees them. */
export const ownMomentsView = ({ session, moments, next, baseRateOf, statements }: OwnMoments) => ({
  notYet: session.endedAt === null,
  items: moments.map((moment) => {
    const ids = momentIdsOf(session.id, moment)
    const { title, commonReasons } = momentRules[moment.rule]
    return {
      id: ids[0]!,
      at: iso(moment.at),
      untilAt: isoOrNull(moment.untilAt),
      rule: moment.rule,
      title,
      lanes: [...moment.lanes],
      commonReasons: [...commonReasons],
      baseRate: baseRateOf(moment.rule),
      statements: statements.filter(({ momentId }) => momentId !== null && ids.includes(momentId)).map(ownStatement),
    }
  }),
  next,
})
