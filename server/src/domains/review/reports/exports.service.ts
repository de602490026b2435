import { setImmediate as nextTurn } from 'node:timers/promises'
import { notFound, ServiceError } from '@integrity/protocol'
import { type By, inTx, type Needs, type Reads } from '../../../kernel/call.ts'
import type { Content } from '../../../kernel/content.ts'
import type { Actor } from '../../../kernel/identity/actor.ts'
import { PdfError } from '../../../platform/pdf/pdf-error.ts'
import { newestRevision } from '../../interviews/reviews/revisions.service.ts'
import { getSession } from '../../interviews/sessions/sessions.read.service.ts'
import { letterheadOf } from '../../organisation/branding/letterhead.service.ts'
import { writeSessionExport } from './exports.view.ts'
import type { ReportDocument } from './report.document.model.ts'
import { type CanonicalReport, reportDocumentOf, verifiedReportOf } from './report.document.service.ts'
import { readBesideReport } from './report.paper.service.ts'
import { reportPdf } from './report.pdf.view.ts'

type ExportCall = Reads & By<Actor> & Needs<'audit' | 'clock' | 'db'>

/** Durable before a byte leaves. */
const record = (
  call: ExportCall,
  action: 'report.exported' | 'session.exported',
  sessionId: string,
  payload: Readonly<Record<string, unknown>>,
): Promise<void> =>
  call.db.transact(async (tx) => {
    await call.audit.append(inTx(call, tx), { action, target: sessionId, sessionId, payload })
    await call.audit.sign(tx, call.scope.orgId)
  })

/** All that is kept of a session, without the bytes of its evidence, as a file that is written while it is read. */
export const exportSession = async (call: ExportCall & Needs<'keyring'>, sessionId: string): Promise<Content> => {
  const { id } = await getSession(call, sessionId)
  await record(call, 'session.exported', id, {})
  return {
    body: writeSessionExport(call, id),
    contentType: 'application/json; charset=utf-8',
    fileName: `session-${id}.json`,
    sandboxed: true,
  }
}

interface Wanted {
  readonly format: 'json' | 'pdf'
  /** 0: the session as it stands, though there may be a signed report. */
  readonly revision?: number | undefined
}

/** The signed report that is wanted; the session as it stands where there is none and none is named. */
const reportFor = async (
  call: ExportCall,
  sessionId: string,
  { revision }: Wanted,
): Promise<CanonicalReport & { readonly revision: number }> => {
  const wanted = revision ?? (await newestRevision(call, sessionId))?.revision ?? 0
  const signed = wanted === 0 ? undefined : await verifiedReportOf(call, { sessionId, revision: wanted })
  if (signed) return { ...signed, text: signed.document }
  if (wanted > 0) throw notFound('revision')
  return { ...(await reportDocumentOf(call, sessionId)), revision: 0 }
}

const tryAgainSeconds = 10

/** On paper; in words where that cannot be done now. */
const onPaper = async (
  call: Reads & Needs<'clock' | 'pdfs'>,
  sessionId: string,
  { text, sha256 }: CanonicalReport,
): Promise<Buffer> => {
  const letterhead = await letterheadOf(call, call.scope)
  const beside = await readBesideReport(call, sessionId)
  const document = reportPdf(JSON.parse(text) as ReportDocument, { sha256, beside, letterhead })
  // A session's notes may be a book: to lay it out as blocks and to hand these on are two turns.
  await nextTurn()
  try {
    return await call.pdfs.render(document, call.scope.orgId)
  } catch (error) {
    if (!(error instanceof PdfError)) throw error
    if (error.code === 'busy')
      throw new ServiceError('service_unavailable', 'too many reports are being rendered; try again in a moment', {
        headers: { 'Retry-After': String(tryAgainSeconds) },
      })
    throw new ServiceError('service_unavailable', 'this report could not be rendered as PDF; it is there as JSON', {
      cause: error,
    })
  }
}

/** The report of a session as a file: the very bytes that were signed, or the same on paper. */
export const exportReport = async (
  call: ExportCall & Needs<'pdfs'>,
  { sessionId, wanted }: { readonly sessionId: string; readonly wanted: Wanted },
): Promise<Content> => {
  await getSession(call, sessionId)
  const report = await reportFor(call, sessionId, wanted)
  const { revision, sha256 } = report
  const { format } = wanted
  const body = format === 'json' ? Buffer.from(report.text) : await onPaper(call, sessionId, report)
  await record(call, 'report.exported', sessionId, { format, revision, sha256 })
  return {
    body,
    contentType: format === 'json' ? 'application/json; charset=utf-8' : 'application/pdf',
    fileName: `report-${sessionId}-${revision === 0 ? 'unsigned' : revision}.${format}`,
    headers: { 'X-Service-Report-Revision': String(revision), 'X-Service-Report-Sha256': sha256 },
    sandboxed: true,
  }
}
