import { createHash } from 'node:crypto'
import type { CaptureConfig, CapturedItem, Driver, DriverSink } from '../../core/capture/types.ts'
import { type Clock, systemClock } from '../../shared/clock.ts'
import { lookIntervalMs } from '../stills/pictures.ts'
import { withEndDeadline } from './end-deadline.ts'
import { type Looked, lookAt, pictureOf, smallPictureOf } from './frame-requests.ts'
import type { LocalTime } from './page-clock.ts'
import type { PageLinks } from './page-links.ts'
import { openStream, type PageStream } from './page-stream.ts'
import { filmRecorders } from './recorders.ts'
import { chooseCamera } from './source-choice.ts'
import { runTaskGroup } from './task-group.ts'
import { bareType, notDenied, probing, readInventory, recorderFor } from './web-probe.ts'
import { createRecording } from './web-recording.ts'

/** A frame is looked at this often as proof of life when stills are off. */
const sampleEveryMs = 10_000
const stillQuality = 75
const clipBitsPerSecond = 800_000

const lookMs = ({ camera }: CaptureConfig): number =>
  camera.stills ? lookIntervalMs(camera.stillIntervalMs) : sampleEveryMs

const choose = async (links: PageLinks, config: CaptureConfig) => {
  const inventory = await readInventory(links)
  notDenied(inventory, 'camera')
  const camera = chooseCamera(inventory.devices, config)
  return { camera, recorder: config.camera.clips ? recorderFor(inventory, filmRecorders) : undefined }
}

/** Noise moves at least one of the mean colours; they are compared to the last bit. */
const markOf = ({ print }: Looked): string =>
  createHash('sha256')
    .update(new Uint8Array(print.blocks.buffer, print.blocks.byteOffset, print.blocks.byteLength))
    .digest('base64')

interface Asked {
  reason: string | undefined
  wake: AbortController
}

const stillOf = async (
  stream: PageStream,
  { width, height }: Looked,
  { at, mono, offsetMs }: LocalTime,
  trigger: string,
): Promise<CapturedItem> => {
  const bytes = await pictureOf(stream, stillQuality)
  return {
    kind: 'camera_frame',
    lane: 'camera',
    capturedAt: at,
    monotonicMs: mono,
    contentType: 'image/webp',
    bytes,
    small: await smallPictureOf(stream),
    meta: { width, height, trigger, device: stream.opened.label, clockOffsetMs: offsetMs },
  }
}

const takeStills = async (
  stream: PageStream,
  sink: DriverSink,
  config: CaptureConfig,
  clock: Clock,
  asked: Asked,
  signal: AbortSignal,
): Promise<void> => {
  const everyMs = lookMs(config)
  let deliveredMono = Number.NEGATIVE_INFINITY
  while (!signal.aborted) {
    const began = clock.monotonicMs()
    const looked = await lookAt(stream)
    const reason = asked.reason
    asked.reason = undefined
    asked.wake = new AbortController()
    if (looked) {
      const time = stream.link.clock.toLocal(looked.at, clock)
      const { at, mono } = time
      sink.sample({ at, varies: looked.varies })
      config.onCameraLook?.({ mono, varies: looked.varies, mark: markOf(looked) })
      const due = config.camera.stills && mono - deliveredMono >= config.camera.stillIntervalMs - everyMs / 2
      const trigger = reason ?? (due ? 'interval' : undefined)
      if (trigger !== undefined) {
        deliveredMono = mono
        await sink.item(await stillOf(stream, looked, time, trigger))
      }
    }
    const wait = Math.max(0, everyMs - (clock.monotonicMs() - began))
    await clock.sleep(wait, AbortSignal.any([signal, asked.wake.signal]))
  }
}

/** The webcam by `getUserMedia`: stills from its frames, clips by `MediaRecorder`, from one opening of the device. */
export const createWebCameraDriver = (links: PageLinks, clock: Clock = systemClock): Driver => {
  const asked: Asked = { reason: undefined, wake: new AbortController() }
  const driver: Driver = {
    name: 'web-camera',
    probe: (config) => probing(() => choose(links, config)),
    trigger: (reason) => {
      asked.reason ??= reason
      asked.wake.abort()
    },
    start: async (sink, config, signal) => {
      const { camera, recorder } = await choose(links, config)
      const { framesPerSecond, clipSeconds: seconds } = config.camera
      const stream = await openStream(links, { kind: 'camera', deviceId: camera.deviceId, framesPerSecond })
      const { width, height } = stream.opened
      const contentType = recorder?.contentType ?? ''
      const segments = recorder && { seconds, contentType, bitsPerSecond: clipBitsPerSecond }
      const describe = () => ({
        kind: 'camera_clip' as const,
        lane: 'camera' as const,
        contentType: bareType(contentType),
        meta: { codec: recorder?.codec, framesPerSecond, width, height },
      })
      const recording = createRecording({ stream, sink, clock, segments, describe })
      try {
        await runTaskGroup(signal, [
          (both) => recording.run(both),
          (both) => takeStills(stream, sink, config, clock, asked, both),
        ])
      } finally {
        await recording.finish()
      }
    },
  }
  return withEndDeadline(driver, clock)
}
