import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import {
  buildCaptureSession,
  type CaptureSession,
  iso,
  newClientId,
  picture,
  sha256,
} from '../../../server/test/test-support/capture-session.ts'
import { captureSigner } from '../../../server/test/test-support/capture-signer.ts'
import { packedStill, sendPack } from '../../../server/test/test-support/packs.ts'
import type { TestServer } from '../../../server/test/test-support/server.ts'

const clip = readFileSync(
  new URL('../../../server/src/domains/integrations/sandbox/simulated-clip.webm', import.meta.url),
)

/** Consent with the key of a machine, which signs. */
const register = async (server: TestServer, s: CaptureSession) => {
  const signer = captureSigner(s.id)
  const { data } = await s.agent.call('agent.sessions.config', { params: { id: s.id } })
  const { version, hash, lanes } = data.consentDocument
  const answers = Object.fromEntries(lanes.map(({ lane }) => [lane, true]))
  const acceptedAt = iso(server.app.clock.now())
  const consent = { version, locale: 'en', documentHash: hash, acceptedAt, lanes: answers }
  await s.agent.call('agent.sessions.register', { body: { consent, captureKey: signer.registration(hash) } })
  return signer
}

/**
 * An interview of two displays and a camera: of the first display a signed still came in a pack and one that is not signed, of
 * the second a signed still alone, of the camera a clip alone.
 */
export const signedInterview = async (server: TestServer): Promise<string> => {
  const s = await buildCaptureSession(server, { registered: false })
  const signer = await register(server, s)
  const signed = (said: Parameters<typeof signer.item>[0]) => ({ ...said, captureSignature: signer.item(said) })
  const body = await picture()
  const small = (await picture('webp', 16, 12)).toString('base64')
  const first = { evidenceType: 'screenshot', sha256: sha256(body), capturedAt: iso(server.app.clock.now()) }
  // As large that it takes some time, so that it comes behind the first.
  const second = { body: await picture('png', 640, 480), contentType: 'image/png' }
  await sendPack(s, [
    await packedStill(server, { body, small, ...signed(first) }),
    await packedStill(server, { ...second, capturedAt: iso(server.app.clock.now()) }),
  ])
  const params = { id: s.id }
  const bytes = await picture()
  const said = signed({ evidenceType: 'screenshot', sha256: sha256(bytes), capturedAt: iso(server.app.clock.now()) })
  const { evidenceType: _type, ...still } = said
  await s.agent.call('agent.screenshots.upload', {
    params,
    body: {
      ...still,
      clientId: newClientId(),
      contentType: 'image/webp',
      displayId: 'd2',
      data: bytes.toString('base64'),
    },
  })
  await s.agent.call('agent.cameraClips.upload', {
    params,
    body: {
      clientId: newClientId(),
      contentType: 'video/webm',
      capturedAt: iso(server.app.clock.now()),
      durationMs: 1000,
      sha256: sha256(clip),
      data: clip.toString('base64'),
    },
  })
  await s.api.call('sessions.end', { params })
  return s.id
}

/** An interview that was agreed to and of which nothing came. */
export const emptyInterview = async (server: TestServer): Promise<string> => {
  const s = await buildCaptureSession(server)
  await s.api.call('sessions.end', { params: { id: s.id } })
  return s.id
}

/** Sound is played by what is not in the page's tree, so each element is kept as it is made. */
export const keepSounds = (page: Page): Promise<unknown> =>
  page.addInitScript(`window.sounds = []
    const Made = window.Audio
    window.Audio = function () { const made = new Made(); window.sounds.push(made); return made }`)

/** What is heard: where each sound is, seconds, and how. */
export const heard = (
  page: Page,
): Promise<{ at: number; paused: boolean; muted: boolean; rate: number; pitch: boolean; broken: boolean }[]> =>
  page.evaluate(`window.sounds.map((sound) => ({ at: sound.currentTime, paused: sound.paused, muted: sound.muted,
    rate: sound.playbackRate, pitch: sound.preservesPitch, broken: sound.error !== null }))`)

/** Of the picture in front: how wide it was decoded; 0 while there is none. */
export const frontWidth = (page: Page): Promise<number> =>
  page.evaluate(`(() => { const shown = document.querySelector('.stage .front .shown')
    return shown ? shown.naturalWidth ?? shown.videoWidth : 0 })()`)

/** Where the player is, milliseconds. */
export const placeOf = (page: Page): Promise<number> =>
  page.evaluate(`Number(document.querySelector('.player .seek').value)`)
