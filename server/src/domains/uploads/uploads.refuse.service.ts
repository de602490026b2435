import type { ServiceError } from '@integrity/protocol'
import type { AppContext } from '../../kernel/parts.ts'
import type { Scope } from '../../kernel/scope.ts'
import { discardUpload } from './uploads.discard.service.ts'
import { lockUpload, type Uploader } from './uploads.service.ts'

/** Discards the upload for good, with its audit row, and answers why. The refusal is thrown by the caller. */
export const refuseUpload = async (
  app: AppContext,
  scope: Scope,
  actor: Uploader,
  uploadId: string,
  error: ServiceError,
): Promise<ServiceError> => {
  await app.db.transact(async (tx) => {
    const upload = await lockUpload(tx, scope, actor, uploadId)
    if (upload.state !== 'open') return
    await discardUpload(app, tx, scope, upload, { actor, action: 'upload.refused', reason: error.message })
  })
  return error
}
