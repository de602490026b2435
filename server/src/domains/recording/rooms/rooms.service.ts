import { consentLocaleFor } from '@integrity/protocol'
import type { By, Needs, Reads, WriteCall } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { consentDocument } from '../../interviews/sessions/consent/consent.model.ts'
import { type DeviceConsent, recordDeviceConsent } from '../../interviews/sessions/consent/device-consent.service.ts'
import { endCredential } from '../../interviews/sessions/joining/joining.service.ts'
import { askedOf } from '../../interviews/sessions/joining/window.service.ts'
import { getSession, lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import { joinedView } from '../../interviews/sessions/sessions.view.ts'
import { brandOf } from '../../organisation/branding/branding.service.ts'
import { getOrg } from '../../organisation/orgs/orgs.service.ts'
import { inviterOf } from '../../organisation/people/inviters.service.ts'

type Room = ActorOf<'room'>

/** What the browser in the room shows before it asks, and whether it may begin. */
export const readRoom = async (call: Reads & By<Room> & Needs<'clock' | 'config'>, locale?: string) => {
  const { actor } = call
  const session = await getSession(call, actor.sessionId)
  const org = await getOrg(call, call.scope.orgId)
  return {
    session: joinedView(session),
    org: await brandOf(call, org),
    inviter: await inviterOf(call, session.id),
    config: { camera: session.config.camera },
    consentDocument: consentDocument(await askedOf(call, session), ['room_camera'], consentLocaleFor(locale)),
    consent: session.consent?.lanes.room_camera ?? null,
    device: { id: actor.id, label: actor.label },
  }
}

export const consentInRoom = async (call: WriteCall<Room> & Needs<'config'>, input: DeviceConsent) => {
  const session = await lockSession(call, call.actor.sessionId)
  await recordDeviceConsent(call, { session, input })
  return readRoom(call, input.locale)
}

/** Lets the device go; again gives the same answer. */
export const releaseRoom = async (call: WriteCall<Room> & Needs<'credentials' | 'db'>) => {
  const { actor } = call
  const releasedAt = await endCredential(call, actor.id)
  await call.audit.append(call, {
    action: 'room.released',
    target: actor.id,
    sessionId: actor.sessionId,
  })
  return { id: actor.id, releasedAt: new Date(releasedAt).toISOString() }
}
