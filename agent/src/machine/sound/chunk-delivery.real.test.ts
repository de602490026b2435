import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeSound } from '../../../test/test-support/decode.ts'
import { until } from '../../../test/test-support/until.ts'
import { canRunWith } from '../../../test/test-support/virtual-desktop.ts'
import { sampleRate } from '../../core/capture/pcm.ts'
import { type CapturedItem, type ConfirmedSound, defaultCaptureConfig } from '../../core/capture/types.ts'
import { findFfmpeg } from '../ffmpeg/ffmpeg.ts'
import { createChunkDelivery } from './chunk-delivery.ts'

describe.skipIf(!canRunWith('chunk delivery', ['ffmpeg']))('chunk delivery', () => {
  let folder: string
  const sound = (seconds: number): Buffer => Buffer.alloc(seconds * sampleRate * 2, 'noise')
  const collector = (items: CapturedItem[]) => ({
    item: async (item: CapturedItem) => void items.push(item),
    unchanged: () => undefined,
    sample: () => undefined,
    displays: () => undefined,
  })

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chunk-delivery-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('says of each chunk when it began, however the sound arrived', async () => {
    const items: CapturedItem[] = []
    const config = { ...defaultCaptureConfig, microphone: { chunkSeconds: 2, bitrateKbps: 24 } }
    const errors: unknown[] = []
    const delivery = createChunkDelivery('microphone', 'mic', collector(items), config, (error) => errors.push(error))
    delivery.confirm({ bytes: sound(3), at: 1_003_000, mono: 3000 })
    delivery.confirm({ bytes: sound(2), at: 1_005_000, mono: 5000 })
    await delivery.flush()
    expect(items.map(({ capturedAt, durationMs }) => [capturedAt, durationMs])).toEqual([
      [1_000_000, 2000],
      [1_002_000, 2000],
      [1_004_000, 1000],
    ])
    for (const { bytes, durationMs } of items) {
      expect(Math.abs((await decodeSound(bytes)).length / 16 - durationMs!)).toBeLessThan(50)
    }
    expect(errors).toEqual([])
  })

  it('lets a listener hear the confirmed sound, sample by sample, as it comes', async () => {
    const heard: ConfirmedSound[] = []
    const config = { ...defaultCaptureConfig, onSound: (confirmed: ConfirmedSound) => void heard.push(confirmed) }
    const delivery = createChunkDelivery('system_audio', 'out', collector([]), config, () => undefined)
    const [first, second] = [sound(1), sound(2)]
    delivery.confirm({ bytes: first, at: 5000, mono: 1000 })
    delivery.confirm({ bytes: second, at: 7000, mono: 3000 })
    expect(heard).toEqual([
      { lane: 'system_audio', bytes: first, at: 5000 },
      { lane: 'system_audio', bytes: second, at: 7000 },
    ])
    await delivery.flush()
  })

  it('gives the listener whole samples, however a pipe has cut them', async () => {
    const heard: ConfirmedSound[] = []
    const config = { ...defaultCaptureConfig, onSound: (confirmed: ConfirmedSound) => void heard.push(confirmed) }
    const delivery = createChunkDelivery('microphone', 'mic', collector([]), config, () => undefined)
    const all = sound(1)
    const cuts = [0, 1, 1001, 1002, all.length]
    for (const [index, from] of cuts.slice(0, -1).entries())
      delivery.confirm({ bytes: all.subarray(from, cuts[index + 1]), at: 5000, mono: 1000 })
    expect(heard.every(({ bytes }) => bytes.length % 2 === 0)).toBe(true)
    expect(Buffer.concat(heard.map(({ bytes }) => bytes)).equals(all)).toBe(true)
    await delivery.flush()
  })

  it('makes nothing more of sound that ends with a chunk', async () => {
    const items: CapturedItem[] = []
    const config = { ...defaultCaptureConfig, systemAudio: { chunkSeconds: 2, bitrateKbps: 24 } }
    const delivery = createChunkDelivery('system_audio', 'out', collector(items), config, () => undefined)
    delivery.confirm({ bytes: sound(4), at: 4000, mono: 4000 })
    await delivery.flush()
    expect(items.map(({ kind, durationMs }) => ({ kind, durationMs }))).toEqual([
      { kind: 'system_audio_chunk', durationMs: 2000 },
      { kind: 'system_audio_chunk', durationMs: 2000 },
    ])
  })

  it('reports an encoder that died, and still delivers the sound that it had been given', async () => {
    // The first encoder dies after a second of sound; those that are started after it work.
    const once = join(folder, 'ffmpeg-once')
    const mark = join(folder, 'used')
    const real = findFfmpeg()
    const script = `#!/bin/sh\nif [ -e ${mark} ]; then exec ${real} "$@"; fi\ntouch ${mark}\nhead -c 32000 >/dev/null\nexit 3\n`
    await writeFile(once, script, { mode: 0o755 })
    const items: CapturedItem[] = []
    const errors: unknown[] = []
    const config = {
      ...defaultCaptureConfig,
      microphone: { chunkSeconds: 2, bitrateKbps: 24 },
      env: { ...process.env, FFMPEG_PATH: once },
    }
    const delivery = createChunkDelivery('microphone', 'mic', collector(items), config, (error) => errors.push(error))
    delivery.confirm({ bytes: sound(5), at: 5000, mono: 5000 })
    await until('the death of the encoder to be told', () => errors.length > 0)
    expect(String(errors[0])).toContain('the sound encoder ended')
    await delivery.flush()
    expect(items.map(({ durationMs }) => durationMs)).toEqual([2000, 2000, 1000])
  })
})
