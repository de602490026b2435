import { hash } from 'node:crypto'
import { ServiceError } from '@integrity/protocol'
import type { Needs, Reads } from '../../../kernel/call.ts'
import { canonicalize } from '../../../platform/canonical-json.ts'
import { signalsOf } from '../../interviews/integrity-events/integrity-events.states.service.ts'
import type { RevisionRow } from '../../interviews/reviews/reviews.types.ts'
import { isAsSigned, revisionOf } from '../../interviews/reviews/revisions.service.ts'
import { getSession } from '../../interviews/sessions/sessions.read.service.ts'
import { statementsOf } from '../../interviews/statements/statements.service.ts'
import { statementView } from '../../interviews/statements/statements.view.ts'
import { captureChainOf } from '../../recording/evidence/evidence.chain.service.ts'
import { annotationsOf, notesOf } from '../notes/notes.service.ts'
import { noteView } from '../notes/notes.view.ts'
import { annotationView } from './annotations.view.ts'
import { readLanes } from './coverage.service.ts'
import { captureOf } from './report.capture.model.ts'
import {
  documentOf,
  type ReportDocument,
  type SaidStatement,
  type SignOff,
  withoutWords,
  withWords,
} from './report.document.model.ts'

export interface CanonicalReport {
  /** Canonical JSON (RFC 8785). */
  readonly text: string
  /** Of the text, hex. */
  readonly sha256: string
}

const canonical = (document: object): CanonicalReport => {
  const text = canonicalize(document)
  return { text, sha256: hash('sha256', text, 'hex') }
}

const readStatements = async (call: Reads, sessionId: string): Promise<SaidStatement[]> =>
  (await statementsOf(call, sessionId)).map((row) => ({ id: row.messageId, ...statementView(row) }))

const readDocument = async (
  call: Reads & Needs<'clock'>,
  { sessionId, signOff }: { readonly sessionId: string; readonly signOff: SignOff | null },
) => {
  const lanes = await readLanes(call, sessionId)
  const signals = await signalsOf(call, sessionId)
  const statements = await readStatements(call, sessionId)
  const notes = (await notesOf(call, sessionId)).map(noteView)
  const annotations = (await annotationsOf(call, sessionId)).map(annotationView)
  const capture = captureOf(await captureChainOf(call, sessionId))
  const said = { capture, signals, statements, notes, annotations, signOff }
  return documentOf({ lanes, ...said, now: call.clock.now() })
}

/** The report of a session as of now, unsigned. Throws `not_found` for a foreign session. */
export const reportDocumentOf = async (call: Reads & Needs<'clock'>, sessionId: string): Promise<CanonicalReport> =>
  canonical(await readDocument(call, { sessionId, signOff: null }))

/** The report as a person signs it, and what an erasure leaves of it, which is what is kept. */
export const reportToSign = async (
  call: Reads & Needs<'clock'>,
  wanted: { readonly sessionId: string; readonly signOff: SignOff },
): Promise<{ readonly signed: CanonicalReport; readonly kept: CanonicalReport }> => {
  const document = await readDocument(call, wanted)
  return { signed: canonical(document), kept: canonical(withoutWords(document)) }
}

type SignedReport = RevisionRow & { readonly document: string }

/**
 * A signed revision as it may be served: its bytes hashed again, and held against the audit trail. Throws `internal_error` for
 * one that was changed where it is stored.
 */
export const verifiedReportOf = async (
  call: Reads,
  { sessionId, revision }: { readonly sessionId: string; readonly revision: number },
): Promise<SignedReport | undefined> => {
  const stored = await revisionOf(call, { sessionId, revision })
  if (!stored) return undefined
  const signed = await servedOf(call, sessionId, stored)
  const isErased = (await getSession(call, sessionId)).erasedAt !== null
  const fits = hash('sha256', signed.document, 'hex') === signed.sha256 && (signed.sha256 === stored.sha256 || isErased)
  if (fits && (await isAsSigned(call, { sessionId, revision: stored }))) return signed
  throw new ServiceError(
    'internal_error',
    `revision ${revision} of this report is not stored as it was signed, and is not given out; ask the operator to run: admin evidence verify`,
  )
}

/**
 * A signed revision: the bytes that were signed, for as long as the candidate's words are there, and after that what an
 * erasure left of them, with the hash of these. The caller has found the session.
 */
export const signedReportOf = async (
  call: Reads,
  wanted: { readonly sessionId: string; readonly revision: number },
): Promise<SignedReport | undefined> => {
  const row = await revisionOf(call, wanted)
  return row && servedOf(call, wanted.sessionId, row)
}

const servedOf = async (call: Reads, sessionId: string, row: SignedReport): Promise<SignedReport> => {
  const kept = JSON.parse(row.document) as ReportDocument
  if (!kept.statements?.length) return row
  const whole = withWords(kept, await readStatements(call, sessionId))
  const signed = whole && canonical(whole)
  const { text, sha256 } = signed?.sha256 === row.sha256 ? signed : canonical(kept)
  return { ...row, document: text, sha256 }
}
