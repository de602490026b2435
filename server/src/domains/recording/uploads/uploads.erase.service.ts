import type { Needs } from '../../../kernel/call.ts'
import { system } from '../../../kernel/identity/actor.ts'
import type { DomainEraser } from '../../../kernel/session-eraser.ts'
import { discardUpload } from './uploads.discard.service.ts'
import { eraseTraces, listOpenUploadsForUpdate } from './uploads.store.ts'

/** Discards every upload in flight of a locked session; those that are over lose what the agent said of them. */
export const uploadsEraser = ({ openUploads }: Needs<'openUploads'>): DomainEraser => ({
  order: 10,
  async erase(call, sessionId) {
    // All are locked before the first is discarded: the audit chain is the last lock that anybody takes.
    const uploads = await listOpenUploadsForUpdate(call.tx, call.scope, sessionId)
    const entry = { action: 'upload.aborted', reason: 'session erased' } as const
    for (const upload of uploads) await discardUpload({ ...call, openUploads, actor: system }, { upload, ...entry })
    await eraseTraces(call.tx, call.scope, sessionId)
    return undefined
  },
})
