import { consentLocaleFor } from '@integrity/protocol'
import type { ActorOf } from '../../kernel/actor.ts'
import type { AppContext } from '../../kernel/parts.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { Reader, Tx } from '../../platform/db/types.ts'
import { brandOf, getOrg } from '../orgs/orgs.service.ts'
import { consentDocument } from '../sessions/consent.ts'
import { type DeviceConsent, recordDeviceConsent } from '../sessions/device-consent.service.ts'
import { endCredential } from '../sessions/joining.service.ts'
import { getSession, lockSession } from '../sessions/sessions.service.ts'

type Room = ActorOf<'room'>

/** What the browser in the room shows before it asks, and whether it may begin. */
export const readRoom = async (reader: Reader, scope: Scope, actor: Room, locale?: string) => {
  const session = await getSession(reader, scope, actor.sessionId)
  const org = await getOrg(reader, scope.orgId)
  return {
    session: { id: session.id, candidateLabel: session.candidateLabel, state: session.state },
    org: brandOf(org),
    config: { camera: session.config.camera },
    consentDocument: consentDocument(session.config, ['room_camera'], consentLocaleFor(locale)),
    consent: session.consent?.lanes.room_camera ?? null,
    device: { id: actor.id, label: actor.label },
  }
}

export const consentInRoom = async (app: AppContext, tx: Tx, scope: Scope, actor: Room, input: DeviceConsent) => {
  const session = await lockSession(tx, scope, actor.sessionId)
  await recordDeviceConsent(app, tx, scope, actor, session, input)
  return readRoom(tx, scope, actor, input.locale)
}

/** Lets the device go; again gives the same answer. */
export const releaseRoom = async (app: AppContext, tx: Tx, scope: Scope, actor: Room) => {
  const releasedAt = await endCredential(app, tx, scope, actor.id)
  await app.audit.append(tx, scope.orgId, {
    actor,
    action: 'room.released',
    target: actor.id,
    sessionId: actor.sessionId,
  })
  return { id: actor.id, releasedAt: new Date(releasedAt).toISOString() }
}
