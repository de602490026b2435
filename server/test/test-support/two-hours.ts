import { createClient } from '@integrity/client/every-endpoint'
import type { SessionConfigPatch } from '@integrity/protocol'
import { speech } from '../../src/domains/integrations/sandbox/sandbox.voices.model.ts'
import { type CaptureSession, iso, newClientId, picture, sha256 } from './capture-session.ts'
import { type PackedItem, sendPack } from './packs.ts'

export const twoHoursMs = 7_200_000
const gaps = 300
const events = 20_000
const eventsOfBatch = 500
const itemsOfPack = 60

interface Around {
  readonly url: string
  /** Of an organisation. */
  readonly key: string
  /** By how much the clock of the server is behind, which is set so that an interview began hours ago. */
  readonly back: { ms: number }
  /** How many of its events a published rule names; the rest are of what is in front. */
  readonly marks?: number
}

type Sent = Pick<CaptureSession, 'agent' | 'id'>

export const sendInPacks = async (s: Sent, items: readonly PackedItem[]): Promise<void> => {
  for (let at = 0; at < items.length; at += itemsOfPack) {
    const answers = await sendPack(s, items.slice(at, at + itemsOfPack))
    const refused = answers.find(({ status }) => status === 'refused')
    if (refused) throw new Error(`an item is refused: ${JSON.stringify(refused.error)}`)
  }
}

/** A gap of the display each 24 s, and what else was observed, evenly. */
const eventAt = (beganAt: number, n: number, marks: number) => {
  const at = beganAt + 1000 + Math.floor((n * (twoHoursMs - 30_000)) / events)
  const every = Math.floor(events / gaps)
  const base = { clientId: `observed-${n}`, observedAt: iso(at) }
  if (n % every === 0 && n / every < gaps) {
    const span = { fromAt: iso(at), toAt: iso(at + 6000) }
    return { ...base, kind: 'lane.gap', source: 'capture', data: { lane: 'screen', ...span, reason: 'driver_failed' } }
  }
  const seen = { observerVersion: '1', method: 'walk', baseline: null }
  if (n < marks) return { ...base, kind: 'clock.jumped', source: 'clock', data: { ...seen, value: { jumpMs: 1500 } } }
  return { ...base, kind: 'foreground.changed', source: 'foreground', data: { ...seen, value: 'Terminal' } }
}

const sendEvents = async ({ agent, id }: Sent, beganAt: number, marks: number): Promise<void> => {
  for (let from = 0; from < events; from += eventsOfBatch) {
    const batch = Array.from({ length: eventsOfBatch }, (_, n) => eventAt(beganAt, from + n, marks))
    await agent.call('agent.events.ingest', { params: { id }, body: { events: batch } })
  }
}

/** Of sound that a browser plays; the bytes of all are the same. */
const soundsOf = async (beganAt: number): Promise<PackedItem[]> => {
  const spoken = [{ sentence: 1, fromMs: 2000, untilMs: 6000 }]
  const body = await speech(spoken, { durationMs: 10_000, voice: 'candidate', name: 'walk' })
  const levels = Buffer.alloc(100, 120).toString('base64')
  return ['audio_chunk', 'system_audio_chunk'].flatMap((evidenceType) =>
    Array.from({ length: twoHoursMs / 10_000 - 1 }, (_, sequence) => ({
      head: {
        clientId: newClientId(),
        evidenceType,
        contentType: 'audio/webm',
        codec: 'opus',
        sha256: sha256(body),
        durationMs: 10_000,
        startedAt: iso(beganAt + sequence * 10_000),
        sequence,
        levels,
      },
      body,
    })),
  )
}

const sendSingle = async (s: Sent, capturedAt: string): Promise<void> => {
  const bytes = await picture('webp', 8, 8)
  const still = { clientId: newClientId(), contentType: 'image/webp', displayId: 'd1' } as const
  const body = { ...still, capturedAt, sha256: sha256(bytes), data: bytes.toString('base64') }
  await s.agent.call('agent.screenshots.upload', { params: { id: s.id }, body })
}

/** A still of the display `d1`, or of the camera. */
export const stillAt = async (capturedAt: string, small: string, camera = false): Promise<PackedItem> => {
  const body = await picture('webp', 8, 8)
  const said = camera ? { evidenceType: 'camera_frame' } : { evidenceType: 'screenshot', displayId: 'd1' }
  const about = { clientId: newClientId(), contentType: 'image/webp', capturedAt, sha256: sha256(body), small }
  return { head: { ...about, ...said }, body }
}

/** A live session whose candidate agreed to everything two hours ago. */
export const beginTwoHoursAgo = async (
  { url, key, back }: Around,
  asked: SessionConfigPatch = {},
): Promise<Sent & { readonly beganAt: number }> => {
  back.ms = twoHoursMs
  const api = createClient({ baseUrl: url, token: key })
  const config = { capture: { recording: true }, camera: { clips: true }, ...asked }
  const { data } = await api.call('sessions.create', { body: { candidateLabel: 'Two hours', config } })
  const agent = createClient({ baseUrl: url, token: data.agentJoinToken })
  const { consentDocument } = (await agent.call('agent.sessions.config', { params: { id: data.id } })).data
  const { version, hash: documentHash, lanes } = consentDocument
  const beganAt = Date.now() - back.ms
  const granted = Object.fromEntries(lanes.map(({ lane }) => [lane, true]))
  const consent = { version, locale: 'en', documentHash, acceptedAt: iso(beganAt), lanes: granted }
  await agent.call('agent.sessions.register', { body: { consent } })
  back.ms = 0
  return { id: data.id, agent, beganAt: beganAt + 1000 }
}

/**
 * An interview of two hours of four sources: a still each ten seconds, most in packs and one of twelve alone, a camera frame each
 * half minute, microphone and system sound without a seam, 20,000 events, of which 300 are gaps. It ends now.
 */
export const twoHourInterview = async (around: Around): Promise<string> => {
  const s = await beginTwoHoursAgo(around)
  const small = (await picture('webp', 16, 12)).toString('base64')
  const stills: PackedItem[] = []
  for (let at = 0; at < twoHoursMs - 10_000; at += 10_000) {
    const capturedAt = iso(s.beganAt + at)
    if (at % 120_000 === 60_000) await sendSingle(s, capturedAt)
    else stills.push(await stillAt(capturedAt, small))
    if (at % 30_000 === 0) stills.push(await stillAt(capturedAt, small, true))
  }
  await sendInPacks(s, stills)
  await sendInPacks(s, await soundsOf(s.beganAt))
  await sendEvents(s, s.beganAt, around.marks ?? 400)
  const api = createClient({ baseUrl: around.url, token: around.key })
  await api.call('sessions.end', { params: { id: s.id } })
  return s.id
}
