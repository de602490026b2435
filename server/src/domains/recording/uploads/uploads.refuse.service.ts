import type { ServiceError } from '@integrity/protocol'
import { type By, inTx, type Needs } from '../../../kernel/call.ts'
import { discardUpload } from './uploads.discard.service.ts'
import { lockUpload, type Uploader } from './uploads.service.ts'

/** Discards the upload for good, with its audit row, and answers why. The refusal is thrown by the caller. */
export const refuseUpload = async (
  call: By<Uploader> & Needs<'audit' | 'db' | 'jobs' | 'openUploads' | 'scope'>,
  { uploadId, error }: { readonly uploadId: string; readonly error: ServiceError },
): Promise<ServiceError> => {
  await call.db.transact(async (tx) => {
    const upload = await lockUpload(inTx(call, tx), uploadId)
    if (upload.state !== 'open') return
    await discardUpload(inTx(call, tx), { upload, action: 'upload.refused', reason: error.message })
  })
  return error
}
