import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
import { createLane, type Lane } from '../../core/capture/lane.ts'
import {
  type CaptureConfig,
  type CapturedItem,
  type Driver,
  defaultCaptureConfig,
  type LaneName,
} from '../../core/capture/types.ts'
import { findProgram, runCommand, stopChild } from '../../shared/child-process.ts'
import { type Clock, systemClock } from '../../shared/clock.ts'
import { PulseConnection } from '../pulse/pulse-connection.ts'
import { recordingName } from '../pulse/record-stream.ts'
import { u32 } from '../pulse/tagstruct.ts'
import { createPulseMicrophoneDriver, createSoxMicrophoneDriver } from './microphone.ts'
import { createPulseSystemAudioDriver } from './system-audio.ts'

const killSourceOutput = 50
const micTone = 440
const speakerTone = 1250
/** Played at half amplitude; a quarter of that is well above what leaks through an encoder. */
const heardLevel = 0.12
const notHeard = 0.01

const joined = async (items: CapturedItem[]): Promise<Float32Array> => {
  const parts = await Promise.all(items.map(({ bytes }) => decodeSound(bytes)))
  return Float32Array.from(parts.flatMap((part) => [...part]))
}

describe.skipIf(!canRunWith('sound lanes', [...desktopPrograms, ...soundPrograms]))('sound lanes', () => {
  let desktop: VirtualDesktop
  let config: CaptureConfig

  beforeAll(async () => {
    desktop = await startVirtualDesktop()
    const sound = { chunkSeconds: 2, bitrateKbps: 24 }
    config = {
      ...defaultCaptureConfig,
      microphone: { ...sound, source: 'mic' },
      systemAudio: { ...sound, source: 'sysloop' },
      env: desktop.env,
    }
  })
  afterAll(() => desktop?.stop())

  const laneOf = (lane: LaneName, drivers: Driver[], settings = config) => {
    const sink = recordingSink()
    return { sink, lane: createLane({ lane, drivers, sink, config: settings, random: () => 0 }) }
  }
  const isUp = (lane: Lane) => until(`${lane.name} to be up`, () => lane.health().state === 'up')

  it('records the microphone and what the speakers play at the same time, each without the other', async () => {
    const mics = [createPulseMicrophoneDriver(), createSoxMicrophoneDriver()]
    const systems = [createPulseSystemAudioDriver()]
    const microphones = mics.map((driver) => laneOf('microphone', [driver]))
    const loops = systems.map((driver) => laneOf('system_audio', [driver]))
    const all = [...microphones, ...loops]
    for (const { lane } of all) lane.start()
    const tones = [await desktop.playTone('micfeed', micTone, 20), await desktop.playTone('speaker', speakerTone, 20)]
    await until('two segments of each lane', () => all.every(({ sink }) => sink.items.length >= 2))
    await Promise.all(all.map(({ lane }) => lane.stop()))
    await Promise.all(tones.map((tone) => stopChild(tone)))

    for (const { sink } of microphones) {
      const heard = await joined(sink.ofKind('audio_chunk'))
      expect(heardAmplitude(heard, micTone)).toBeGreaterThan(heardLevel)
      expect(toneAmplitude(heard, speakerTone)).toBeLessThan(notHeard)
    }
    for (const { sink } of loops) {
      const heard = await joined(sink.ofKind('system_audio_chunk'))
      expect(heardAmplitude(heard, speakerTone)).toBeGreaterThan(heardLevel)
      expect(toneAmplitude(heard, micTone)).toBeLessThan(notHeard)
      expect(sink.items.map(({ meta }) => meta.sequence)).toEqual(sink.items.map((_, index) => index))
    }
    for (const { sink } of microphones) {
      expect(sink.items[0]).toMatchObject({ contentType: 'audio/webm', durationMs: 2000, meta: { codec: 'opus' } })
    }
  })

  const vanishing = [
    {
      how: 'system audio by the socket',
      driver: createPulseSystemAudioDriver,
      lane: 'system_audio',
      source: 'sysloop',
      master: 'speaker.monitor',
      own: speakerTone,
      other: micTone,
    },
    {
      how: 'the microphone by sox',
      driver: createSoxMicrophoneDriver,
      lane: 'microphone',
      source: 'mic',
      master: 'micfeed.monitor',
      own: micTone,
      other: speakerTone,
    },
  ] as const

  it('counts digital silence as observed, and delivers the segment that stop cuts short', async () => {
    const settings = { ...config, systemAudio: { ...config.systemAudio, chunkSeconds: 60 } }
    const { lane, sink } = laneOf('system_audio', [createPulseSystemAudioDriver()], settings)
    const heard: number[] = []
    sink.sample = (_lane, { at }) => void heard.push(at)
    lane.start()
    await until('two seconds of sound', () => heard.length > 0 && heard.at(-1)! - heard[0]! >= 2000)
    // Nothing is on the disk yet.
    expect(lane.takeCoverage()).toEqual([])
    await lane.stop()
    expect(sink.gaps).toEqual([])
    expect(sink.items).toHaveLength(1)
    expect(sink.items[0]!.durationMs).toBeGreaterThan(1000)
    expect(sink.items[0]!.meta.levelDb).toBeLessThanOrEqual(-90)
    expect(lane.takeCoverage().map(({ observedSeconds }) => observedSeconds * 1000)).toEqual([
      sink.items[0]!.durationMs,
    ])
    expect((await decodeSound(sink.items[0]!.bytes)).length).toBeGreaterThan(16_000)
  })

  it.each(vanishing)(
    'ends the segment when its source vanishes, keeps no sound of the source put in its place, and comes back: $how',
    async ({ driver, lane: name, source, master, own, other }) => {
      const { lane, sink } = laneOf(name, [driver()])
      const tones = [await desktop.playTone('micfeed', micTone, 40), await desktop.playTone('speaker', speakerTone, 40)]
      lane.start()
      await until('a segment', () => sink.items.length >= 1)
      await desktop.unloadModule(desktop.sourceModules[source])
      await until('the lane to be down', () => lane.health().state === 'down')
      expect(lane.health()).toMatchObject({ state: 'down', reason: 'unplugged' })
      const before = sink.items.length
      const again = await desktop.loadModule('module-remap-source', `source_name=${source}`, `master=${master}`)
      desktop.sourceModules[source] = again
      await until('another segment', () => sink.items.length > before)
      await lane.stop()
      await Promise.all(tones.map((tone) => stopChild(tone)))

      const heard = await joined(sink.items)
      expect(heardAmplitude(heard, own)).toBeGreaterThan(heardLevel)
      expect(toneAmplitude(heard, other)).toBeLessThan(notHeard)
      expect(sink.gaps).toContainEqual(expect.objectContaining({ lane: name, reason: 'unplugged' }))
    },
  )

  it('restarts a recorder that was killed and names the hole', async () => {
    const { lane, sink } = laneOf('microphone', [createSoxMicrophoneDriver()])
    lane.start()
    await isUp(lane)
    const pid = await recorderPid(desktop)
    process.kill(pid, 'SIGKILL')
    await until('the gap to be closed', () => sink.gaps.length > 0)
    expect(sink.gaps).toMatchObject([{ lane: 'microphone', reason: 'driver_failed' }])
    expect(lane.health().state).toBe('up')
    expect(await recorderPid(desktop)).not.toBe(pid)
    await lane.stop()
  })

  it('says that nothing is observable where no sound server answers', async () => {
    const env = { ...desktop.env, PULSE_SERVER: `unix:${desktop.folder}/nobody.socket` }
    const absent = { ...config, microphone: { ...config.microphone, source: 'no_such_source' } }
    for (const driver of [createPulseMicrophoneDriver(), createSoxMicrophoneDriver()]) {
      expect(await driver.probe({ ...config, env })).toMatchObject({ ok: false, reason: 'not_observable' })
      expect(await driver.probe(absent)).toMatchObject({ ok: false, reason: 'unplugged' })
    }
  })

  it('fails without harm when sox is missing, and when it runs but gives nothing', async () => {
    const bin = join(desktop.folder, 'bin')
    await mkdir(bin)
    for (const name of ['ffmpeg', 'sh', 'sleep']) await symlink(findProgram(name)!, join(bin, name))
    const settings = { ...config, env: { ...desktop.env, PATH: bin } }
    const quiet = {
      item: async () => undefined,
      unchanged: () => undefined,
      sample: () => undefined,
      displays: () => undefined,
    }
    const never = new AbortController().signal
    // Ten times as fast, so that the first-byte time-out does not hold up the suite.
    const clock: Clock = {
      wallMs: Date.now,
      monotonicMs: () => performance.now() * 10,
      sleep: (ms, signal) => systemClock.sleep(ms / 10, signal),
    }
    const driver = createSoxMicrophoneDriver(clock)
    expect(await driver.probe(settings)).toMatchObject({ ok: false, reason: 'not_observable' })
    await expect(driver.start(quiet, settings, never)).rejects.toMatchObject({ reason: 'driver_failed' })
    await writeFile(join(bin, 'sox'), '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 })
    await expect(driver.start(quiet, settings, never)).rejects.toThrow('the recorder gave no sound')
  })

  it('names the hole when the sound server ends the recording, and records again', async () => {
    const { lane, sink } = laneOf('microphone', [createPulseMicrophoneDriver()])
    lane.start()
    await isUp(lane)
    await endRecording(desktop)
    await until('the gap to be closed', () => sink.gaps.length > 0)
    expect(sink.gaps).toMatchObject([{ lane: 'microphone', reason: 'driver_failed' }])
    expect(lane.health().state).toBe('up')
    await lane.stop()
  })

  it('hears the words that are spoken into the microphone as energy, not as silence', async () => {
    const { lane, sink } = laneOf('microphone', [createPulseMicrophoneDriver()])
    lane.start()
    await isUp(lane)
    await desktop.speak('micfeed', 'The quick brown fox jumps over the lazy dog.')
    await lane.stop()
    expect(Math.max(...sink.items.map(({ meta }) => meta.levelDb!))).toBeGreaterThan(-40)
  })
})

interface SourceOutput {
  index: number
  properties: Record<string, string>
}

const sourceOutputs = async (desktop: VirtualDesktop): Promise<SourceOutput[]> => {
  const { stdout } = await runCommand('pactl', ['--format=json', 'list', 'source-outputs'], { env: desktop.env })
  return JSON.parse(stdout.toString()) as SourceOutput[]
}

/** Has the sound server throw out who records through its socket. */
const endRecording = async (desktop: VirtualDesktop): Promise<void> => {
  const recorder = (await sourceOutputs(desktop)).find(({ properties }) => properties['media.name'] === recordingName)
  const connection = await PulseConnection.open(desktop.env)
  await connection.ask(killSourceOutput, u32(recorder!.index))
  connection.close()
}

/** The process that records now; the sound server's own modules have no process id. */
const recorderPid = async (desktop: VirtualDesktop): Promise<number> => {
  const outputs = await sourceOutputs(desktop)
  const pids = outputs.map(({ properties }) => Number(properties['application.process.id']))
  return pids.find((pid) => pid > 0)!
}
