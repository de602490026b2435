import { consentLocaleFor, notFound, ServiceError } from '@integrity/protocol'
import { type By, inTx, type Needs, type Reads } from '../../../kernel/call.ts'
import type { Content, RangedContent } from '../../../kernel/content.ts'
import { zipStream } from '../../../platform/zip/zip-stream.ts'
import { getSession, lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { type BundleCall, downloadBundle } from '../../review/bundles/bundles.service.ts'
import { refuseEndedLink } from '../links/links.service.ts'
import { type ArchiveCall, archiveMembers } from './access-copy.archive.view.ts'
import { writeAccessCopy } from './access-copy.view.ts'
import { findRequest, type RequestRow, updateRequest } from './candidate-requests.store.ts'
import type { Candidate } from './submitting.service.ts'

const conflict = (message: string) => new ServiceError('conflict', message)

/** Throws in words unless this is an approved request for a copy whose time has not run out. */
const admit = (request: RequestRow | undefined, sessionId: string, now: number): RequestRow => {
  if (request?.sessionId !== sessionId) throw notFound('request')
  if (request.kind !== 'access') throw conflict('this is not a request for a copy; there is nothing to download')
  if (request.status === 'declined') throw conflict('this request was declined; its messages give the reason')
  if (request.accessCopyUntil === null) throw conflict('this request was not approved yet')
  if (now >= request.accessCopyUntil) throw conflict('the time for downloading this copy is over; send a new request')
  return request
}

/** Records one download before a byte of it leaves, and answers the session it is of. */
const recordDownload = (
  call: Needs<'audit' | 'clock' | 'db' | 'scope'>,
  candidate: Candidate,
  requestId: string,
): Promise<SessionRow> =>
  call.db.transact(async (tx) => {
    const { sessionId } = candidate
    const session = await lockSession(inTx(call, tx), sessionId)
    await refuseEndedLink({ ...call, reader: tx }, candidate.id)
    const now = call.clock.now()
    const request = admit(await findRequest(tx, call.scope, requestId), sessionId, now)
    await updateRequest(tx, call.scope, request, { lastDownloadAt: now })
    await call.audit.append(
      { tx, scope: call.scope, actor: candidate },
      {
        action: 'candidate_request.exported',
        target: requestId,
        sessionId,
      },
    )
    return session
  })

/** The session of an approved copy that is only looked at. */
export const readCopied = async (
  call: Reads & By<Candidate> & Needs<'clock'>,
  requestId: string,
): Promise<SessionRow> => {
  const { sessionId } = call.actor
  admit(await findRequest(call.reader, call.scope, requestId), sessionId, call.clock.now())
  return getSession(call, sessionId)
}

/**
 * The approved copy as one ZIP file, written while it is read. Throws as `downloadAccessCopy` does.
 */
export const downloadArchive = async (
  call: By<Candidate> & ArchiveCall & Needs<'audit' | 'db'>,
  { requestId, locale }: { readonly requestId: string; readonly locale?: string | undefined },
): Promise<Content> => {
  const session = await recordDownload(call, call.actor, requestId)
  return {
    body: zipStream(archiveMembers({ ...call, reader: call.db.reader }, session, consentLocaleFor(locale))),
    contentType: 'application/zip',
    fileName: `access-copy-${session.id}.zip`,
    sandboxed: true,
  }
}

/**
 * The approved copy as a JSON file, written while it is read, so that it costs no memory however much there is.
 * Throws `not_found` for a request of another session and `conflict` for one that gives no copy.
 */
export const downloadAccessCopy = async (
  call: By<Candidate> & Needs<'audit' | 'clock' | 'config' | 'db' | 'downloadKey' | 'scope'>,
  requestId: string,
): Promise<Content> => {
  const session = await recordDownload(call, call.actor, requestId)
  return {
    body: writeAccessCopy(call, session),
    contentType: 'application/json; charset=utf-8',
    fileName: `access-copy-${session.id}.json`,
    sandboxed: true,
  }
}

/** The same as a file that can be checked. What it is refused for is told before anything is built. */
export const downloadOwnBundle = async (
  call: Omit<BundleCall, 'actor'> & By<Candidate>,
  requestId: string,
): Promise<RangedContent> => {
  const { sessionId } = call.actor
  admit(await findRequest(call.reader, call.scope, requestId), sessionId, call.clock.now())
  const given = () => recordDownload(call, call.actor, requestId)
  return downloadBundle(call, { sessionId, wanted: { audience: 'candidate', reports: false, query: {}, given } })
}
