import { type CaptureSession, iso, newClientId, picture, sha256 } from '../../../server/test/test-support/capture-session.ts'
import { buildCaptureSession } from '../../../server/test/test-support/capture-session.ts'
import type { Team } from '../../../server/test/test-support/link-pages.ts'
import { type PackedItem, packedStill, sendPack } from '../../../server/test/test-support/packs.ts'
import { newPicture } from '../../../server/test/test-support/world.ts'
import { speech } from '../../../server/src/domains/sandbox/sandbox.voices.model.ts'
import { startDesk } from './desk-web.test-support.ts'

const hourMs = 3_600_000
export const twoHoursMs = 2 * hourMs
const gaps = 300
const events = 20_000
const eventsOfBatch = 500
const itemsOfPack = 60

/** A desk whose clock is `back.ms` behind, so that an interview can begin hours ago. */
export const startDeskBefore = async (): Promise<{ readonly team: Team; readonly back: { ms: number } }> => {
  const back = { ms: 0 }
  return { team: await startDesk(() => Date.now() - back.ms), back }
}

interface Around {
  readonly team: Team
  readonly back: { ms: number }
  /** How many of its events a published rule names; the rest are of what is in front. */
  readonly marks?: number
}

const sendInPacks = async (s: CaptureSession, items: readonly PackedItem[]): Promise<void> => {
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
  const base = { clientId: `event-${n}`, observedAt: iso(at) }
  if (n % every === 0 && n / every < gaps) {
    const span = { fromAt: iso(at), toAt: iso(at + 6000) }
    return { ...base, kind: 'lane.gap', source: 'capture', data: { lane: 'screen', ...span, reason: 'no_network' } }
  }
  const seen = { observerVersion: '1', method: 'walk', baseline: null }
  if (n < marks)
    return { ...base, kind: 'clock.jumped', source: 'clock', data: { ...seen, value: { jumpMs: 1500 } } }
  return { ...base, kind: 'foreground.changed', source: 'foreground', data: { ...seen, value: 'Terminal' } }
}

const sendEvents = async ({ agent, id }: CaptureSession, beganAt: number, marks: number): Promise<void> => {
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
    Array.from({ length: twoHoursMs / 10_000 }, (_, sequence) => ({
      head: {
        ...{ clientId: newClientId(), evidenceType, contentType: 'audio/webm', codec: 'opus', sha256: sha256(body) },
        ...{ durationMs: 10_000, startedAt: iso(beganAt + sequence * 10_000), sequence, levels },
      },
      body,
    })),
  )
}

const sendSingle = async (s: CaptureSession, capturedAt: string): Promise<void> => {
  const bytes = await newPicture()
  const still = { clientId: newClientId(), contentType: 'image/webp', displayId: 'd1' } as const
  const body = { ...still, capturedAt, sha256: sha256(bytes), data: bytes.toString('base64') }
  await s.agent.call('agent.screenshots.upload', { params: { id: s.id }, body })
}

/**
 * An interview of two hours of four sources: a still each ten seconds, most in packs and one of twelve alone, a camera frame each
 * half minute, microphone and system sound without a seam, 20,000 events, of which 300 are gaps. It ends now.
 */
export const twoHourInterview = async ({ team, back, marks = 400 }: Around): Promise<string> => {
  back.ms = twoHoursMs
  const s = await buildCaptureSession(team.server, { environment: 'live' })
  const beganAt = team.server.app.clock.now()
  back.ms = 0
  const small = (await picture('webp', 16, 12)).toString('base64')
  const stills: PackedItem[] = []
  for (let at = 0; at < twoHoursMs; at += 10_000) {
    const capturedAt = iso(beganAt + at)
    if (at % 120_000 === 60_000) await sendSingle(s, capturedAt)
    else stills.push(await packedStill(team.server, { body: await newPicture(), small, capturedAt }))
    if (at % 30_000 === 0) {
      const frame = { evidenceType: 'camera_frame', displayId: undefined, small, capturedAt }
      stills.push(await packedStill(team.server, { ...frame, body: await newPicture() }))
    }
  }
  await sendInPacks(s, stills)
  await sendInPacks(s, await soundsOf(beganAt))
  await sendEvents(s, beganAt, marks)
  await s.api.call('sessions.end', { params: { id: s.id } })
  return s.id
}
