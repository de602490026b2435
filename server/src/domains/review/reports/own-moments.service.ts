import { invalid, momentsPageItems } from '@integrity/protocol'
import type { Needs, Reads } from '../../../kernel/call.ts'
import { getSession } from '../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { statementsOf } from '../../interviews/statements/statements.service.ts'
import type { StatementRow } from '../../interviews/statements/statements.types.ts'
import type { BaseRateOf } from './base-rates.service.ts'
import { findMoment, readFound } from './coverage.service.ts'
import { momentIdsOf } from './moments.model.ts'
import type { Moment } from './moments.types.ts'

type MomentsCall = Reads & Needs<'clock'>

/** A page of the moments of an interview, for its candidate. */
export interface OwnMoments {
  readonly session: SessionRow
  readonly moments: readonly Moment[]
  /** How many moments there are before the next page; null: this is the last one. */
  readonly next: number | null
  readonly baseRateOf: BaseRateOf
  /** Of the whole interview, oldest first. */
  readonly statements: readonly StatementRow[]
}

/** What reviewers are shown, without their words; none before the interview has ended, and none once it was erased. */
export const readOwnMoments = async (
  call: MomentsCall,
  { sessionId, after }: { readonly sessionId: string; readonly after: number },
): Promise<OwnMoments> => {
  const session = await getSession(call, sessionId)
  if (session.endedAt === null || session.erasedAt !== null)
    return { session, moments: [], next: null, baseRateOf: () => null, statements: [] }
  const { moments, baseRateOf } = await readFound(call, sessionId)
  const end = after + momentsPageItems
  return {
    session,
    baseRateOf,
    moments: moments.slice(after, end),
    next: end < moments.length ? end : null,
    statements: await statementsOf(call, sessionId),
  }
}

/** The moment that somebody writes about, and every id that it has. */
export interface StatedMoment {
  readonly id: string
  readonly at: number
  readonly ids: readonly string[]
}

/** Throws in words at the field unless the moment is one that the candidate is shown. Reads what rules read, so before the transaction. */
export const findStated = async (
  call: MomentsCall,
  { sessionId, momentId }: { readonly sessionId: string; readonly momentId: string },
): Promise<StatedMoment> => {
  const { endedAt, erasedAt } = await getSession(call, sessionId)
  if (erasedAt !== null) throw invalid('moment', 'what was captured in this interview was erased')
  if (endedAt === null) throw invalid('moment', 'this interview has not ended; its moments are named after that')
  const moment = await findMoment(call, { sessionId, momentId })
  if (!moment) throw invalid('moment', 'is not a moment of this interview')
  const ids = momentIdsOf(sessionId, moment)
  return { id: ids[0]!, at: moment.at, ids }
}
