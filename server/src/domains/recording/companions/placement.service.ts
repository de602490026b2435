import { createHash } from 'node:crypto'
import type { placementBody } from '@integrity/protocol'
import type * as z from 'zod'
import type { By, Needs, Reads, WriteCall } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { decodeBase64 } from '../../../platform/base64.ts'
import { lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import type { Item } from '../evidence/evidence.types.ts'
import type { PreparedItem } from '../evidence/intake/intake.item.model.ts'
import { prepareItem } from '../evidence/intake/intake.prepare.service.ts'
import { recordPrepared } from '../evidence/intake/intake.record.service.ts'
import { companionOf, readCompanion } from './companions.service.ts'
import { updateCompanion } from './companions.store.ts'
import { companionEvent } from './telling.service.ts'

type Phone = ActorOf<'companion'>
type Placement = z.output<typeof placementBody>

/** Without an id of its own the photo is known by its bytes, so that a repeat is not another one. */
const photoId = ({ photo }: Placement): string =>
  photo.clientId ?? `placement-${createHash('sha256').update(photo.sha256).digest('hex').slice(0, 32)}`

/** Before the transaction: consent, policy, and the photo's bytes, which are sealed. */
export const preparePlacement = (
  call: Reads & By<Phone> & Needs<'clock' | 'log' | 'newId' | 'pictures' | 'sessionKeys' | 'store'>,
  input: Placement,
): Promise<PreparedItem> => {
  const { photo } = input
  const bytes = decodeBase64(photo.data, 'photo.data')
  const said: Item = {
    evidenceType: 'placement_photo',
    clientId: photoId(input),
    contentType: photo.contentType,
    sizeBytes: bytes.length,
    sha256: photo.sha256,
    capturedAt: photo.capturedAt === undefined ? call.clock.now() : Date.parse(photo.capturedAt),
    durationMs: null,
    metadata: {},
  }
  return prepareItem(call, { sessionId: call.actor.sessionId, said, bytes })
}

/** Keeps the steps and the photo. It is confirmed when every step is; one that cannot be done is kept as it is. */
export const confirmPlacement = async (
  call: WriteCall<Phone> & Needs<'config' | 'keyring' | 'metrics'>,
  { input, photo }: { readonly input: Placement; readonly photo: PreparedItem },
) => {
  const { tx, scope, actor } = call
  const session = await lockSession(call, actor.sessionId)
  const companion = await companionOf(call)
  const { row } = await recordPrepared(call, photo)
  const now = call.clock.now()
  const confirmed = input.steps.every((step) => step.confirmed)
  const same = companion.photoEvidenceId === row.id && JSON.stringify(companion.steps) === JSON.stringify(input.steps)
  if (same) return readCompanion(call, { sessionId: session.id })
  await updateCompanion(tx, scope, companion.id, {
    steps: JSON.stringify(input.steps),
    photoEvidenceId: row.id,
    placedAt: confirmed ? now : null,
  })
  await call.audit.append(call, {
    action: 'companion.placed',
    target: companion.id,
    sessionId: session.id,
    payload: { steps: input.steps, photo: row.id },
  })
  if (confirmed)
    await call.outbox.publish(call, {
      type: 'companion.placement_confirmed',
      sessionId: session.id,
      data: companionEvent(session, { companionId: companion.id, at: now }),
    })
  return readCompanion(call, { sessionId: session.id })
}
