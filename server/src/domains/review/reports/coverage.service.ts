import { type MomentRuleName, momentEventsOfKind, momentRuleNames } from '@integrity/protocol'
import type { Needs, Reads } from '../../../kernel/call.ts'
import { type List, type PageOf, type PageQuery, readPage } from '../../../kernel/paging.ts'
import { eventsOfMoments } from '../../interviews/integrity-events/integrity-events.service.ts'
import { readStates } from '../../interviews/integrity-events/integrity-events.states.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { statementsOf } from '../../interviews/statements/statements.service.ts'
import type { StatementRow } from '../../interviews/statements/statements.types.ts'
import type { PhonePresence } from '../../recording/companions/presence.log.service.ts'
import { sumCaptureChain } from '../../recording/evidence/evidence.chain.service.ts'
import { annotationsOf } from '../notes/notes.service.ts'
import type { AnnotationRow } from '../notes/notes.types.ts'
import { type Inventory, readAccount } from './account.service.ts'
import type { SourceAccount } from './account.types.ts'
import { type BaseRateOf, readBaseRates } from './base-rates.service.ts'
import { coverageOf, type LaneCoverage } from './coverage.model.ts'
import { recordingAround } from './moments.around.model.ts'
import { type Choice, chooseMoments } from './moments.choice.model.ts'
import { findMoments, momentIdsOf } from './moments.model.ts'
import type { FactEvent, Moment, MomentFacts } from './moments.types.ts'

export interface SessionCoverage {
  readonly session: SessionRow
  readonly inventory: Inventory
  readonly coverage: LaneCoverage[]
  readonly sources: readonly SourceAccount[]
  readonly phones: readonly PhonePresence[]
}

/** What the account says of every lane of a session, and what there is of each type. Throws `not_found`. */
export const readLanes = async (call: Reads, sessionId: string): Promise<SessionCoverage> => {
  const { session, sources, inventory, objects, phones } = await readAccount(call, sessionId)
  return { session, inventory, coverage: coverageOf(session, sources, objects), sources, phones }
}

type CoverageCall = Reads & Needs<'clock'>

/** What happened, as rules read it; what was so before did not. It goes with an erasure, and with it what they could say. */
const readEvents = async (call: Reads, { id, erasedAt }: SessionRow): Promise<FactEvent[]> => {
  if (erasedAt !== null) return []
  const rows = await eventsOfMoments(call, { sessionId: id, ofKind: momentEventsOfKind })
  const { ids } = await readStates(call, id)
  return rows
    .filter((row) => !ids.has(row.id))
    .map(({ observedAt, data, ...row }) => ({ ...row, at: observedAt, data: JSON.parse(data) as FactEvent['data'] }))
}

const readFacts = async (call: CoverageCall, lanes: SessionCoverage): Promise<MomentFacts> => {
  const { id, startedAt, endedAt } = lanes.session
  const { coverage, sources, phones } = lanes
  const session = { id, startedAt, until: endedAt ?? call.clock.now() }
  return { session, coverage, sources, phones, events: await readEvents(call, lanes.session) }
}

export interface FoundInSession {
  readonly session: SessionRow
  readonly sources: readonly SourceAccount[]
  /** In the order of time. */
  readonly moments: readonly Moment[]
  readonly baseRateOf: BaseRateOf
}
export interface SessionMoments extends FoundInSession {
  /** Oldest first. */
  readonly annotations: readonly AnnotationRow[]
}

/** The account of every source and the moments that rules find, without what people said of them. Throws `not_found`. */
export const readFound = async (call: CoverageCall, sessionId: string): Promise<FoundInSession> => {
  const lanes = await readLanes(call, sessionId)
  const { moments } = findMoments(await readFacts(call, lanes))
  return { ...lanes, moments, baseRateOf: await readBaseRates(call, lanes.session) }
}

/** The same with what reviewers said of the moments. */
export const readMoments = async (call: CoverageCall, sessionId: string): Promise<SessionMoments> => ({
  ...(await readFound(call, sessionId)),
  annotations: await annotationsOf(call, sessionId),
})

type Key = readonly [at: number, rule: number, key: string]

const keyOf = ({ at, rule, key }: Moment): Key => [at, momentRuleNames.indexOf(rule), key]
const isBehind = (moment: Moment, after: readonly (string | number)[]): boolean => {
  const key = keyOf(moment)
  const n = key.findIndex((value, index) => value !== after[index])
  return n >= 0 && key[n]! > after[n]!
}

const listOfMoments = (of: readonly unknown[], moments: readonly Moment[]): List<Moment> => ({
  of,
  kinds: ['number', 'number', 'string'],
  keyOf,
  fetch: async ({ after, skip, take }) => {
    const rest = after ? moments.filter((moment) => isBehind(moment, after)) : moments
    return rest.slice(skip, skip + take)
  },
})

export interface AppliedRule {
  readonly rule: MomentRuleName
  readonly found: number
  readonly chosen: number
  readonly complete: boolean
  readonly choice: string | null
}
interface Coverage {
  readonly lanes: SessionCoverage['coverage']
  readonly rules: readonly AppliedRule[]
  /** What each lane recorded around a moment. */
  readonly around: ReturnType<typeof recordingAround>
  readonly baseRateOf: BaseRateOf
  /** Oldest first. */
  readonly annotations: readonly AnnotationRow[]
  /** Oldest first. */
  readonly statements: readonly StatementRow[]
}
export interface CoveragePage extends Coverage {
  readonly captureChain: Awaited<ReturnType<typeof sumCaptureChain>>
  readonly page: PageOf<Moment>
  readonly total: number
}

const countOf = (moments: readonly Moment[], rule: MomentRuleName): number =>
  moments.filter((moment) => moment.rule === rule).length

/** Coverage as in the report, and the moments worth opening, or those that a budget of minutes chooses. */
const readAll = async (
  call: CoverageCall,
  sessionId: string,
  minutes?: number,
): Promise<Coverage & { readonly shown: readonly Moment[] }> => {
  const lanes = await readLanes(call, sessionId)
  const facts = await readFacts(call, lanes)
  const { moments, incomplete } = findMoments(facts)
  const choice: Choice | undefined = minutes === undefined ? undefined : chooseMoments(moments, minutes)
  const shown = choice?.moments ?? moments
  const rules = momentRuleNames.map((rule) => ({
    rule,
    found: countOf(moments, rule),
    chosen: countOf(shown, rule),
    complete: !incomplete.has(rule),
    choice: choice?.words.get(rule) ?? null,
  }))
  const annotations = await annotationsOf(call, sessionId)
  const statements = await statementsOf(call, sessionId)
  const baseRateOf = await readBaseRates(call, lanes.session)
  const around = recordingAround(facts)
  return { lanes: lanes.coverage, shown, rules, around, baseRateOf, annotations, statements }
}

/** The same with a page of the moments. */
export const readCoverage = async (
  call: CoverageCall,
  {
    sessionId,
    query,
  }: { readonly sessionId: string; readonly query: PageQuery & { readonly minutes?: number | undefined } },
): Promise<CoveragePage> => {
  const { shown, ...coverage } = await readAll(call, sessionId, query.minutes)
  const page = await readPage(listOfMoments(['coverage', call.scope, sessionId, query.minutes], shown), query)
  return { ...coverage, captureChain: await sumCaptureChain(call, sessionId), page, total: shown.length }
}

async function* inOnePage(moments: readonly Moment[]): AsyncGenerator<readonly Moment[]> {
  yield moments
}

/** The same with all of the moments. */
export const readWholeCoverage = async (call: CoverageCall, sessionId: string) => {
  const { shown, ...coverage } = await readAll(call, sessionId)
  return { ...coverage, pages: inOnePage(shown) }
}

/** The moment of this id; undefined where no rule finds it. Throws `not_found` for a foreign session. */
export const findMoment = async (
  call: CoverageCall,
  { sessionId, momentId }: { readonly sessionId: string; readonly momentId: string },
): Promise<Moment | undefined> => {
  const { moments } = findMoments(await readFacts(call, await readLanes(call, sessionId)))
  return moments.find((moment) => momentIdsOf(sessionId, moment).includes(momentId))
}
