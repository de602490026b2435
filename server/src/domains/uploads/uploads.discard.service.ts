import type { AuditAction } from '@integrity/protocol'
import type { AuditActor } from '../../kernel/actor.ts'
import { system } from '../../kernel/actor.ts'
import type { AppContext } from '../../kernel/parts.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { Tx } from '../../platform/db/types.ts'
import { openUploads } from './open-uploads.ts'
import { deleteParts } from './parts.store.ts'
import {
  closeUpload,
  findUpload,
  findUploadForUpdate,
  listExpiredUploadsAcrossOrgs,
  listOpenUploadsForUpdate,
  type UploadRow,
} from './uploads.store.ts'

/** Takes the sealed parts of discarded uploads away; the job is durable, so a crash only delays it. */
export const discardPartsKind = 'uploads.discard_parts'
/** Discards uploads that nobody completed in time; meant to recur. */
export const expireUploadsKind = 'uploads.expire'

export interface Segment {
  readonly storeKey: string
  /** Of the plaintext. */
  readonly sizeBytes: number
}

export const enqueueDiscard = async (app: AppContext, tx: Tx, scope: Scope, { storeKey, sizeBytes }: Segment) => {
  await app.jobs.enqueue(tx, scope, { kind: discardPartsKind, payload: { storeKey, sizeBytes } })
}

/** Discards a locked, open upload: its header goes now, which shreds what was sealed, its bytes by a job. */
export const discardUpload = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  upload: UploadRow,
  entry: { actor: AuditActor; action: AuditAction & `upload.${string}`; reason: string },
): Promise<void> => {
  const { actor, action, reason } = entry
  await closeUpload(tx, scope, upload.id, { state: 'aborted' })
  await deleteParts(tx, scope, upload.id)
  await enqueueDiscard(app, tx, scope, upload)
  await app.audit.append(tx, scope.orgId, {
    actor,
    action,
    target: upload.id,
    sessionId: upload.sessionId,
    payload: { reason },
  })
  tx.afterCommit(() => openUploads(app).drop(upload.id))
}

/** Discards every upload in flight of a locked session that is being erased. */
export const abortSessionUploads = async (app: AppContext, tx: Tx, scope: Scope, sessionId: string): Promise<void> => {
  // All are locked before the first is discarded: the audit chain is the last lock that anybody takes.
  const uploads = await listOpenUploadsForUpdate(tx, scope, sessionId)
  for (const upload of uploads)
    await discardUpload(app, tx, scope, upload, { actor: system, action: 'upload.aborted', reason: 'session erased' })
}

/**
 * After a refusal: what was stored of an upload that is still open stays, since going on finds it. If the upload was
 * discarded while the request ran, its files may have been made anew, and are taken away again.
 */
export const tidyDiscarded = async (app: AppContext, scope: Scope, upload: UploadRow): Promise<void> => {
  const now = await findUpload(app.db.reader, scope, upload.sessionId, upload.id)
  if (now?.state !== 'aborted') return
  openUploads(app).drop(upload.id)
  await app.db.transact((tx) => enqueueDiscard(app, tx, scope, upload))
}

const PAGE = 100

/** Discards uploads whose time is over, each in a transaction of its own. Answers how many. */
export const expireUploads = async (app: AppContext): Promise<number> => {
  const now = app.clock.now()
  let expired = 0
  for (;;) {
    const page = await listExpiredUploadsAcrossOrgs(app.db.reader, now, PAGE)
    for (const { orgId, environment, id } of page) {
      const scope: Scope = { orgId, environment }
      await app.db.transact(async (tx) => {
        const upload = await findUploadForUpdate(tx, scope, id)
        if (upload?.state !== 'open') return
        await discardUpload(app, tx, scope, upload, { actor: system, action: 'upload.aborted', reason: 'expired' })
      })
      expired++
    }
    if (page.length < PAGE) return expired
  }
}
