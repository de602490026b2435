import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildCapturePage,
  type CaptureBrowser,
  startCaptureBrowser,
} from '../../../test/test-support/capture-browser.ts'
import { heardAmplitude, toneAmplitude } from '../../../test/test-support/decode.ts'
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
import { bytesPerMs } from '../../core/capture/pcm.ts'
import { type CaptureConfig, type ConfirmedSound, defaultCaptureConfig } from '../../core/capture/types.ts'
import type { Segment } from '../../core/transcript/segment-writer.ts'
import { createTranscriptLane } from '../../core/transcript/transcript-lane.ts'
import { stopChild } from '../../shared/child-process.ts'
import { systemClock } from '../../shared/clock.ts'
import { chooseEngine } from '../speech/choose-engine.ts'
import { englishModel, speak, speechPrograms } from '../speech/test-support/speech.ts'
import { createPageLinks, type PageLinks } from './page-links.ts'
import { createWebMicrophoneDriver, createWebSystemAudioDriver } from './web-sound.ts'

const micTone = 440
const speakerTone = 1250
/** Played at half amplitude. */
const heardLevel = 0.12
const notHeard = 0.01

const samplesOf = (sounds: readonly ConfirmedSound[]): Float32Array => {
  const pcm = Buffer.concat(sounds.map(({ bytes }) => bytes))
  return Float32Array.from({ length: pcm.length / 2 }, (_, i) => pcm.readInt16LE(i * 2) / 32_768)
}

const lengthMs = (sounds: readonly ConfirmedSound[]): number =>
  sounds.reduce((sum, { bytes }) => sum + bytes.length / bytesPerMs, 0)

const beginOf = (sound: ConfirmedSound): number => sound.at - lengthMs([sound])

/**
 * Whether somewhere three seconds of sound took three seconds. A hole of our own, a second of an asking, would be in every such
 * stretch; a busy machine's virtual cable drops sound here and there.
 */
const wholeStretch = (sounds: readonly ConfirmedSound[]): boolean =>
  sounds.some((first, begin) =>
    sounds.slice(begin).some((last, more) => {
      const spanMs = last.at - beginOf(first)
      const heardMs = lengthMs(sounds.slice(begin, begin + more + 1))
      return heardMs >= 3000 && Math.abs(heardMs - spanMs) < 300
    }),
  )

const programs = [...desktopPrograms, ...soundPrograms, ...speechPrograms, 'chromium']

describe.skipIf(!canRunWith('listening to the capture page', programs))('the sound of the capture page', () => {
  let folder: string
  let desktop: VirtualDesktop
  let browser: CaptureBrowser
  let links: PageLinks
  let config: CaptureConfig

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'capture-page-'))
    await buildCapturePage(folder)
    desktop = await startVirtualDesktop()
    // Names that only they have, which is how a browser's list and the sound server's are matched.
    for (const [name, sink] of [
      ['desk-mic', 'micfeed'],
      ['repeater', 'speaker'],
    ] as const) {
      const description = `source_properties=device.description=The-${name}`
      await desktop.loadModule('module-remap-source', `source_name=${name}`, `master=${sink}.monitor`, description)
    }
    browser = await startCaptureBrowser({ folder, env: desktop.env })
    links = createPageLinks(browser.pages, systemClock)
    const sound = { chunkSeconds: 5, bitrateKbps: 24 }
    config = {
      ...defaultCaptureConfig,
      microphone: { ...sound, source: 'desk-mic' },
      systemAudio: { ...sound, source: 'repeater' },
      env: desktop.env,
    }
  })
  afterAll(async () => {
    await browser?.stop()
    await desktop?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const lanesWith = (listener: Pick<CaptureConfig, 'onSound' | 'soundWanted'>) => {
    const sink = recordingSink()
    const settings = { ...config, ...listener }
    const drivers = [createWebMicrophoneDriver(links), createWebSystemAudioDriver(links)]
    const lanes = (['microphone', 'system_audio'] as const).map((lane, i) =>
      createLane({ lane, drivers: [drivers[i]!], sink, config: settings, random: () => 0 }),
    )
    return { sink, lanes }
  }

  it('is given as samples of each lane, without a hole and with its time, as long as it is wanted', async () => {
    const told: ConfirmedSound[] = []
    let wanted = true
    const { lanes, sink } = lanesWith({ onSound: (sound) => told.push(sound), soundWanted: () => wanted })
    const tones = [await desktop.playTone('micfeed', micTone, 60), await desktop.playTone('speaker', speakerTone, 60)]
    const of = (lane: string): ConfirmedSound[] => told.filter((sound) => sound.lane === lane)
    const began = Date.now()
    for (const lane of lanes) lane.start()
    await until('six seconds of both', () => ['microphone', 'system_audio'].every((lane) => lengthMs(of(lane)) > 6000))
    wanted = false
    // Each lane asks once in a second; two more files are five seconds each.
    const files = sink.items.length
    await until('further files', () => sink.items.length >= files + 2)
    const silentFrom = told.length
    await until('files after those', () => sink.items.length >= files + 4)
    expect(told).toHaveLength(silentFrom)
    await Promise.all(lanes.map((lane) => lane.stop()))
    await Promise.all(tones.map((tone) => stopChild(tone)))

    expect(heardAmplitude(samplesOf(of('microphone')), micTone)).toBeGreaterThan(heardLevel)
    expect(toneAmplitude(samplesOf(of('microphone')), speakerTone)).toBeLessThan(notHeard)
    expect(heardAmplitude(samplesOf(of('system_audio')), speakerTone)).toBeGreaterThan(heardLevel)
    expect(toneAmplitude(samplesOf(of('system_audio')), micTone)).toBeLessThan(notHeard)
    for (const lane of ['microphone', 'system_audio']) {
      const sounds = of(lane)
      expect(beginOf(sounds[0]!)).toBeGreaterThanOrEqual(began)
      expect(wholeStretch(sounds)).toBe(true)
      expect(sounds.every(({ bytes }) => bytes.length % 2 === 0)).toBe(true)
    }
    expect(browser.errors).toEqual([])
  })

  it('becomes words by the engine of this machine', async () => {
    const said: Segment[] = []
    const { lanes, sink } = lanesWith({
      onSound: (sound) => transcript.hear(sound),
      soundWanted: () => transcript.listens(),
    })
    const transcript = createTranscriptLane({
      choose: () => chooseEngine(englishModel),
      store: { nextSequence: () => said.length, put: (segment) => said.push(segment) },
      clock: systemClock,
      sessionStartedAt: () => undefined,
    })
    const [microphone] = lanes
    expect(transcript.listens()).toBe(false)
    await transcript.apply(['microphone', 'transcript'], sink)
    expect(transcript.listens()).toBe(true)
    microphone!.start()
    await until('the lane to be up', () => microphone!.health().state === 'up')
    const sentence = await speak('the door of the house is open')
    const file = join(folder, 'said.raw')
    // Said over and over: on a busy machine the virtual cable may drop a piece of a word.
    await writeFile(file, Buffer.concat(Array.from({ length: 30 }, () => sentence)))
    const format = ['--raw', '--rate=16000', '--channels=1', '--format=s16le']
    const player = desktop.launch('paplay', ['--latency-msec=40', ...format, '--device=micfeed', file])
    const words = (): string => said.map(({ text }) => text).join(' ')
    await until('the words', () => /door of the house/.test(words()), 100_000)
    await microphone!.stop()
    await transcript.stop()
    await stopChild(player)
    expect(said.every(({ speaker }) => speaker === 'candidate')).toBe(true)
    const windows = transcript.takeCoverage()
    expect(windows.reduce((sum, { observedSeconds }) => sum + observedSeconds, 0)).toBeGreaterThan(3)
  })
})
