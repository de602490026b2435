import { type LaneName, observerNames } from '@integrity/protocol'
import { iso, isoOrNull } from '../../../kernel/time.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import type { Anchor } from '../notes/notes.types.ts'
import type { SessionCoverage } from './coverage.service.ts'
import { observedIn } from './moments.around.model.ts'
import type { SignedCapture } from './report.capture.model.ts'

/** The session is shown as so many equal parts. */
const stripParts = 240

const reportFormat = 'session-report/1'

/** What a person said, with the name and the role that they had then. */
export interface SaidNote {
  readonly id: string
  readonly text: string
  readonly anchor: Anchor | null
  readonly author: { readonly name: string; readonly role: string }
  readonly createdAt: string
}
export interface SaidAnnotation extends Omit<SaidNote, 'anchor'> {
  readonly momentId: string | null
  /** Null where what was captured was erased. */
  readonly at: string | null
  readonly meaning: string
}
/** What the candidate wrote. An erasure takes the words, and the id with them: beside the hash it would let them be guessed. */
export interface SaidStatement {
  readonly id: string | null
  readonly at: string
  readonly text: string | null
  readonly readAt: string | null
  /** Null where it is about the whole interview; earlier documents do not say. */
  readonly moment?: { readonly id: string; readonly at: string } | null
}
export interface SignOff {
  readonly revision: number
  readonly supersedes: number | null
  readonly statement: string | null
  readonly signedOffAt: string
  readonly signedOffBy: { readonly name: string; readonly role: string }
}

/**
 * Of a declared observer whether this computer could run it. What an agent calls other ones, and why it could not, are its
 * own words, and those go with an erasure.
 */
const capabilitiesOf = ({ capabilities }: SessionRow) => {
  const told = new Map(capabilities.map(({ observer, status }) => [observer, status]))
  return observerNames.map((observer) => ({ observer, status: told.get(observer) ?? ('not_told' as const) }))
}

const consentOf = ({ consent }: SessionRow) =>
  consent && {
    documentHash: consent.documentHash ?? null,
    lanes: Object.fromEntries(
      Object.entries(consent.lanes).map(([lane, { granted, at, withdrawnAt }]) => [
        lane,
        { granted, at: iso(Date.parse(at)), withdrawnAt: withdrawnAt && iso(Date.parse(withdrawnAt)) },
      ]),
    ),
  }

/** Percent of each part of the session for which samples of a lane were seen; none of a session that never began. */
const stripOf = ({ session, sources }: SessionCoverage, lane: LaneName, until: number): number[] => {
  const { startedAt } = session
  if (startedAt === null || until <= startedAt) return []
  const part = (until - startedAt) / stripParts
  const seen = observedIn(sources, lane)
  return Array.from({ length: stripParts }, (_part, n) => {
    const span = { fromAt: startedAt + n * part, toAt: startedAt + (n + 1) * part }
    return Math.round((seen(span) / part) * 100)
  })
}

/** Lanes with their displays by number: what a computer calls them goes with an erasure. */
const lanesOf = (all: SessionCoverage, until: number) => {
  const names = new Set(
    all.coverage.flatMap(({ displays, gaps }) => [...displays, ...gaps].map((one) => one.displayId)),
  )
  const numbers = new Map(
    [...names]
      .filter((name) => name !== null)
      .sort()
      .map((name, n) => [name, n + 1]),
  )
  const numbered = <T extends { readonly displayId: string | null }>({ displayId, ...rest }: T) => ({
    ...rest,
    display: displayId === null ? null : (numbers.get(displayId) ?? null),
  })
  return all.coverage.map(({ displays, gaps, ...lane }) => ({
    ...lane,
    displays: displays.map(numbered),
    gaps: gaps.map(numbered),
    strip: stripOf(all, lane.lane, until),
  }))
}

/** How many of each kind: what they say goes with an erasure. */
const countsByKind = (states: readonly { readonly kind: string }[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(states, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length]))

export interface DocumentInput {
  readonly lanes: SessionCoverage
  readonly capture: SignedCapture
  readonly signals: {
    readonly total: number
    readonly byKind: Readonly<Record<string, number>>
    readonly atStart: readonly { readonly kind: string }[]
  }
  readonly statements: readonly SaidStatement[]
  readonly notes: readonly SaidNote[]
  readonly annotations: readonly SaidAnnotation[]
  /** Null for the state of the moment. */
  readonly signOff: SignOff | null
  readonly now: number
}

/**
 * The report as it is signed. It holds counts, times, reasons and what people of the organisation said, which stay. Of what an
 * erasure takes it holds the candidate's statements alone: what is kept of a signed one is the report without their words
 * (`withoutWords`), and they are put back from where they were written for as long as they are there (`withWords`).
 */
export const documentOf = (input: DocumentInput) => {
  const { lanes, capture, signals, statements, notes, annotations, signOff, now } = input
  const { session, inventory } = lanes
  const until = session.endedAt ?? now
  return {
    format: reportFormat,
    asOf: iso(now),
    signOff,
    session: {
      id: session.id,
      externalId: session.externalId,
      environment: session.environment,
      createdAt: iso(session.createdAt),
      startedAt: isoOrNull(session.startedAt),
      endedAt: isoOrNull(session.endedAt),
      erasedAt: isoOrNull(session.erasedAt),
      durationMs: session.startedAt === null ? 0 : until - session.startedAt,
      policyVersion: session.policyVersion,
    },
    consent: consentOf(session),
    lanes: lanesOf(lanes, until),
    signals: { total: signals.total, byKind: signals.byKind, atStart: countsByKind(signals.atStart) },
    inventory,
    capture,
    capabilities: capabilitiesOf(session),
    statements,
    notes,
    annotations,
  }
}
type NewDocument = ReturnType<typeof documentOf>
type NewLane = NewDocument['lanes'][number]
type Accounted = Pick<NewLane, 'account' | 'expectedMs' | 'heldMs' | 'observedMs'>
type Kept<Figures> = Omit<Figures, keyof Accounted | 'displays'> & Partial<Accounted>
type KeptLane = Kept<NewLane> & { readonly displays: readonly Kept<NewLane['displays'][number]>[] }
type KeptSignals = Omit<NewDocument['signals'], 'atStart'> & Partial<Pick<NewDocument['signals'], 'atStart'>>

/** As it was kept: earlier ones say nothing of machines that signed, of one account, or of what the candidate wrote. */
export type ReportDocument = Omit<NewDocument, 'capture' | 'lanes' | 'signals' | 'statements'> &
  Partial<Pick<NewDocument, 'capture' | 'statements'>> & {
    readonly lanes: readonly KeptLane[]
    readonly signals: KeptSignals
  }

type Worded = Pick<ReportDocument, 'statements'>

/** The same as an erasure leaves it. */
export const withoutWords = <D extends Worded>(document: D): D => ({
  ...document,
  ...(document.statements && {
    statements: document.statements.map((statement) => ({ ...statement, id: null, text: null })),
  }),
})

/** The same with the words that were written when the statements came; undefined where not all of them are there any more. */
export const withWords = <D extends Worded>(
  document: D,
  written: readonly { readonly at: string; readonly id: string | null; readonly text: string | null }[],
): D | undefined => {
  if (!document.statements) return document
  const statements = document.statements.map((kept, n) => {
    const words = written[n]
    return words?.at === kept.at && words.text !== null ? { ...kept, id: words.id, text: words.text } : undefined
  })
  return statements.every((statement) => statement !== undefined) ? { ...document, statements } : undefined
}
