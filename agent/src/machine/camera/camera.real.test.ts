import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { probeClip } from '../../../test/test-support/decode.ts'
import { recordingSink } from '../../../test/test-support/recording-sink.ts'
import { until } from '../../../test/test-support/until.ts'
import { canRunWith, makeCameraFile } from '../../../test/test-support/virtual-desktop.ts'
import { createLane } from '../../core/capture/lane.ts'
import { type CaptureConfig, defaultCaptureConfig } from '../../core/capture/types.ts'
import { createCameraDriver } from './camera.ts'

describe.skipIf(!canRunWith('camera lane', ['ffmpeg', 'ffprobe']))('the camera lane', () => {
  let folder: string
  let config: CaptureConfig

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'camera-'))
    const path = await makeCameraFile(join(folder, 'webcam.avi'), { seconds: 2, size: '320x240' })
    const camera = { stills: true, stillIntervalMs: 500, clips: true, clipSeconds: 1, framesPerSecond: 10 }
    config = { ...defaultCaptureConfig, camera: { ...camera, source: { kind: 'file', path } } }
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('plays a file in the place of a device: stills and clips from one reading', async () => {
    const sink = recordingSink()
    const lane = createLane({ lane: 'camera', drivers: [createCameraDriver()], sink, config })
    lane.start()
    await until(
      'stills and clips',
      () => sink.ofKind('camera_frame').length >= 3 && sink.ofKind('camera_clip').length >= 2,
    )
    expect(lane.health().state).toBe('up')
    await lane.stop()
    const still = sink.ofKind('camera_frame')[0]!
    expect(still).toMatchObject({ contentType: 'image/webp', meta: { width: 320, height: 240 } })
    const { channels } = await sharp(still.bytes).stats()
    expect(channels[0]!.stdev).toBeGreaterThan(20)
    const clip = sink.ofKind('camera_clip')[1]!
    expect(await probeClip(clip.bytes)).toEqual({ frames: 10, start: 0, width: 320 })
    expect(sink.gaps).toEqual([])
  })

  it('records the stills alone when clips are off', async () => {
    const sink = recordingSink()
    const settings = { ...config, camera: { ...config.camera, clips: false } }
    const lane = createLane({ lane: 'camera', drivers: [createCameraDriver()], sink, config: settings })
    lane.start()
    await until('two stills', () => sink.items.length >= 2)
    await lane.stop()
    expect(new Set(sink.items.map(({ kind }) => kind))).toEqual(new Set(['camera_frame']))
  })

  it('says that a camera that is not there is unplugged, and covers the time with that reason', async () => {
    const source = { kind: 'device', path: join(folder, 'video9') } as const
    const settings = { ...config, camera: { ...config.camera, source } }
    const sink = recordingSink()
    const lane = createLane({ lane: 'camera', drivers: [createCameraDriver()], sink, config: settings })
    lane.start()
    await until('the answer of the probe', () => sink.healthReports.length > 0)
    await lane.stop()
    expect(sink.healthReports).toMatchObject([{ lane: 'camera', state: 'down', reason: 'unplugged' }])
    expect(sink.items).toEqual([])
  })

  it('says that a machine without any camera is not observable', async ({ skip }) => {
    const { existsSync } = await import('node:fs')
    skip(existsSync('/dev/video0'), 'this machine has a camera')
    const settings = { ...config, camera: { ...config.camera, source: undefined } }
    expect(await createCameraDriver().probe(settings)).toMatchObject({ ok: false, reason: 'not_observable' })
  })
})
