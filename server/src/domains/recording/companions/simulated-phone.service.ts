import { presenceIntervalSeconds } from '@integrity/protocol'
import type { Needs, WriteCall } from '../../../kernel/call.ts'
import { consentDocument } from '../../interviews/sessions/consent/consent.model.ts'
import { recordDeviceConsent } from '../../interviews/sessions/consent/device-consent.service.ts'
import { mintCredential } from '../../interviews/sessions/joining/joining.service.ts'
import { askedOf } from '../../interviews/sessions/joining/window.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { findCompanion, insertBeats, insertCompanion, updateCompanion } from './companions.store.ts'
import type { RecordingState } from './presence.model.ts'

/** A phone that does not exist, and what it would have sent in one more stretch of time. */
export interface SimulatedPhone {
  readonly companionId: string
  /** What it says of itself until the end of the stretch, and from then on. */
  readonly until: RecordingState
  readonly from: RecordingState
  /** End of the stretch, epoch milliseconds. */
  readonly at: number
}

const beatOf = (recording: RecordingState) => ({
  battery: 0.8,
  charging: true,
  network: 'wifi',
  orientation: 'portrait',
  foreground: recording !== 'interrupted',
  recording,
  reason: recording === 'interrupted' ? 'background' : null,
})

/** Its presence up to an instant, a beat for each interval since its last one; nothing for one that was never paired. */
export const beatSimulated = async (
  call: WriteCall,
  { companionId, until, from, at }: SimulatedPhone,
): Promise<void> => {
  const { tx, scope } = call
  const phone = await findCompanion(tx, scope, companionId)
  if (!phone) return
  const step = presenceIntervalSeconds * 1000
  const since = phone.lastBeatAt ?? phone.pairedAt
  const before = Array.from(
    { length: Math.max(0, Math.ceil((at - since) / step) - 1) },
    (_, n) => since + (n + 1) * step,
  )
  const beats = [...before.map((when) => ({ when, said: until })), { when: at, said: from }]
  const rows = beats.map(({ when, said }) => ({
    clientId: `${companionId}.${when}.${said}`,
    at: when,
    beat: JSON.stringify(beatOf(said)),
  }))
  await insertBeats(tx, scope, companionId, rows, at)
  await updateCompanion(tx, scope, companionId, {
    recording: from,
    lastBeatAt: at,
    lastBeat: JSON.stringify(beatOf(from)),
    lastContactAt: at,
    interruptedAt: from === 'interrupted' ? (phone.interruptedAt ?? at) : null,
  })
}

/**
 * Pairs a phone of a simulated interview with the candidate's consent, in a locked session: its rows are those of a real one.
 * Nothing is published, and its token is told to nobody.
 */
export const pairSimulated = async (
  call: WriteCall & Needs<'config'>,
  { session, companionId: id }: { readonly session: SessionRow; readonly companionId: string },
): Promise<void> => {
  const { tx, scope } = call
  const credentialId = call.newId('crd')
  const now = call.clock.now()
  await mintCredential(call, { id: credentialId, sessionId: session.id, kind: 'companion', label: 'simulated phone' })
  const device = { name: 'Simulated phone', platform: 'simulated' }
  await insertCompanion(tx, scope, { id, sessionId: session.id, credentialId, device, now })
  const { locale, hash: documentHash } = consentDocument(await askedOf(call, session), ['side_view'])
  const actor = { ...scope, kind: 'companion' as const, id: credentialId, sessionId: session.id, label: null }
  const input = { locale, documentHash, accepted: true, acceptedAt: new Date(now).toISOString() }
  await recordDeviceConsent({ ...call, actor }, { session, input })
  await beatSimulated(call, { companionId: id, until: 'off', from: 'off', at: now })
}
