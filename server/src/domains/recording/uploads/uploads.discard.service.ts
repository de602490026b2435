import type { AuditAction } from '@integrity/protocol'
import { type By, inTx, type Needs, type Reads, type Writes } from '../../../kernel/call.ts'
import { system } from '../../../kernel/identity/actor.ts'
import type { Scope } from '../../../kernel/identity/scope.ts'
import { deleteParts } from './parts.store.ts'
import {
  closeUpload,
  findUpload,
  findUploadForUpdate,
  listExpiredUploadsAcrossOrgs,
  type UploadRow,
} from './uploads.store.ts'

export interface Segment {
  readonly storeKey: string
  /** Of the plaintext. */
  readonly sizeBytes: number
}

/** Takes sealed parts away; the job is durable, so a crash only delays it. */
export const enqueueDiscard = async (call: Writes & Needs<'jobs'>, { storeKey, sizeBytes }: Segment) => {
  await call.jobs.enqueue(call, { kind: 'uploads.discard_parts', payload: { storeKey, sizeBytes } })
}

/** Discards a locked, open upload: its header goes now, which shreds what was sealed, its bytes by a job. */
export const discardUpload = async (
  call: Writes & By & Needs<'audit' | 'jobs' | 'openUploads'>,
  {
    upload,
    action,
    reason,
  }: { readonly upload: UploadRow; readonly action: AuditAction & `upload.${string}`; readonly reason: string },
): Promise<void> => {
  const { tx, scope } = call
  await closeUpload(tx, scope, upload.id, { state: 'aborted' })
  await deleteParts(tx, scope, upload.id)
  await enqueueDiscard(call, upload)
  await call.audit.append(call, {
    action,
    target: upload.id,
    sessionId: upload.sessionId,
    payload: { reason },
  })
  tx.afterCommit(() => call.openUploads.drop(upload.id))
}

/**
 * After a refusal: what was stored of an upload that is still open stays, since going on finds it. If the upload was
 * discarded while the request ran, its files may have been made again, and are taken away again.
 */
export const tidyDiscarded = async (
  call: Reads & Needs<'db' | 'jobs' | 'openUploads'>,
  upload: UploadRow,
): Promise<void> => {
  const now = await findUpload(call.reader, call.scope, upload.sessionId, upload.id)
  if (now?.state !== 'aborted') return
  call.openUploads.drop(upload.id)
  await call.db.transact((tx) => enqueueDiscard(inTx(call, tx), upload))
}

const pageRows = 100

/** Discards uploads whose time is over, each in a transaction of its own. Answers how many. */
export const expireUploads = async (
  call: Needs<'audit' | 'clock' | 'db' | 'jobs' | 'openUploads' | 'reader'>,
): Promise<number> => {
  const now = call.clock.now()
  let expired = 0
  for (;;) {
    const page = await listExpiredUploadsAcrossOrgs(call.reader, now, pageRows)
    for (const { orgId, environment, id } of page) {
      const scope: Scope = { orgId, environment }
      await call.db.transact(async (tx) => {
        const upload = await findUploadForUpdate(tx, scope, id)
        if (upload?.state !== 'open') return
        await discardUpload(
          { ...call, tx, reader: tx, scope, actor: system },
          { upload, action: 'upload.aborted', reason: 'expired' },
        )
      })
      expired++
    }
    if (page.length < pageRows) return expired
  }
}
