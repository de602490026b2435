import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildCapturePage,
  type CaptureBrowser,
  startCaptureBrowser,
} from '../../../test/test-support/capture-browser.ts'
import { decodeSound, heardAmplitude, toneAmplitude } from '../../../test/test-support/decode.ts'
import { recordingSink } from '../../../test/test-support/recording-sink.ts'
import { until } from '../../../test/test-support/until.ts'
import {
  canRunWith,
  desktopPrograms,
  soundPrograms,
  startVirtualDesktop,
  type VirtualDesktop,
} from '../../../test/test-support/virtual-desktop.ts'
import { createLane } from '../../core/capture/lane.ts'
import { type CaptureConfig, defaultCaptureConfig } from '../../core/capture/types.ts'
import { stopChild } from '../../shared/child-process.ts'
import { systemClock } from '../../shared/clock.ts'
import { createPageLinks } from './page-links.ts'
import { createWebSystemAudioDriver } from './web-sound.ts'

const title = 'Plays a tone'
const played = 1250
const spoken = 440

/** What the page that is listened to plays. */
const playTone = `
  const context = new AudioContext()
  const oscillator = new OscillatorNode(context, { frequency: ${played} })
  oscillator.connect(new GainNode(context, { gain: 0.5 })).connect(context.destination)
  oscillator.start()
`

const programs = [...desktopPrograms, ...soundPrograms, 'chromium']

// Debian's Chromium gives no sound with a whole display; a tab's sound comes by the same call and the same kind of track.
describe.skipIf(!canRunWith('loopback lane of the capture page', programs))('the loopback of the capture page', () => {
  let folder: string
  let desktop: VirtualDesktop
  let browser: CaptureBrowser
  let silent: CaptureBrowser
  let config: CaptureConfig

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'capture-page-'))
    await buildCapturePage(folder)
    desktop = await startVirtualDesktop()
    const options = { folder, env: desktop.env }
    browser = await startCaptureBrowser({ ...options, args: [`--auto-select-tab-capture-source-by-title=${title}`] })
    silent = await startCaptureBrowser({ ...options, args: ['--auto-select-desktop-capture-source=Entire screen'] })
    config = { ...defaultCaptureConfig, systemAudio: { chunkSeconds: 2, bitrateKbps: 24 }, env: desktop.env }
  })
  afterAll(async () => {
    await browser?.stop()
    await silent?.stop()
    await desktop?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('records what is played and not what is spoken, without the picture it comes with', async () => {
    const player = await browser.page().context().newPage()
    await player.setContent(`<title>${title}</title>`)
    await player.evaluate(playTone)
    const voice = await desktop.playTone('micfeed', spoken, 60)
    const sink = recordingSink()
    const links = createPageLinks(browser.pages, systemClock)
    const drivers = [createWebSystemAudioDriver(links, systemClock, 'darwin')]
    const lane = createLane({ lane: 'system_audio', drivers, sink, config, random: () => 0 })
    lane.start()
    await until('two segments', () => sink.items.length >= 2)
    await lane.stop()
    await stopChild(voice)
    const parts = await Promise.all(sink.items.map(({ bytes }) => decodeSound(bytes)))
    const heard = Float32Array.from(parts.flatMap((part) => [...part]))
    expect(heardAmplitude(heard, played)).toBeGreaterThan(0.12)
    expect(toneAmplitude(heard, spoken)).toBeLessThan(0.01)
    expect(sink.items[0]).toMatchObject({ kind: 'system_audio_chunk', contentType: 'audio/webm' })
    expect(sink.gaps).toEqual([])
  })

  it('is not observable where a display comes without sound', async () => {
    const sink = recordingSink()
    const links = createPageLinks(silent.pages, systemClock)
    const drivers = [createWebSystemAudioDriver(links, systemClock, 'darwin')]
    const lane = createLane({ lane: 'system_audio', drivers, sink, config, random: () => 0 })
    lane.start()
    await until('the lane to be down', () => sink.healthReports.length > 0)
    await lane.stop()
    expect(sink.healthReports[0]).toMatchObject({ state: 'down', reason: 'not_observable' })
    expect(sink.items).toEqual([])
  })
})
