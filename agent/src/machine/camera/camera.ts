import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import {
  type CameraSource,
  type CaptureConfig,
  type Driver,
  DriverError,
  type DriverSink,
  type ProbeResult,
} from '../../core/capture/types.ts'
import { type Clock, systemClock } from '../../shared/clock.ts'
import { recordClips } from '../ffmpeg/clip-recorder.ts'
import { requireFfmpeg } from '../ffmpeg/ffmpeg.ts'
import { clipOutput, endedOrAborted, startFfmpeg } from '../ffmpeg/ffmpeg-process.ts'
import { JpegSplitter } from '../ffmpeg/jpeg-stream.ts'
import { lookIntervalMs, sharp, smallOf, webpEffort } from '../stills/pictures.ts'
import { type CameraInput, inspectCamera, stillsOutput } from './camera-input.ts'

/** A frame is looked at this often as proof of life when stills are off. */
const sampleEveryMs = 10_000
/** A frame whose grey values spread less than this is of a single colour. */
const flatDeviation = 1
const stillQuality = 75

const sampleMsOf = ({ camera }: CaptureConfig): number =>
  camera.stills ? lookIntervalMs(camera.stillIntervalMs) : sampleEveryMs

const firstCamera = (): CameraSource | undefined => {
  if (!existsSync('/dev')) return undefined
  const names = readdirSync('/dev').filter((name) => /^video\d+$/.test(name))
  const first = names.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))[0]
  return first ? { kind: 'device', path: `/dev/${first}` } : undefined
}

const probeCamera = async (config: CaptureConfig): Promise<ProbeResult> => {
  const source = config.camera.source ?? firstCamera()
  if (!source) return { ok: false, reason: 'not_observable', detail: 'this machine has no camera' }
  if (!existsSync(source.path)) return { ok: false, reason: 'unplugged', detail: `${source.path} is not there` }
  const devices = source.kind === 'device' ? ['v4l2'] : []
  const encoders = config.camera.clips ? ['mjpeg', 'libx264'] : ['mjpeg']
  return requireFfmpeg({ devices, encoders }, config.env)
}

const outputsOf = ({ camera }: CaptureConfig, input: CameraInput, sampleMs: number): string[] => {
  const args = ['-map', '0:v', ...stillsOutput(input, sampleMs)]
  if (camera.clips) args.push('-map', '0:v', ...clipOutput(camera.framesPerSecond), 'pipe:3')
  return args
}

/** Turns decoded camera pictures into samples, and those that are due into stills. */
const createStills = (sink: DriverSink, config: CaptureConfig) => {
  let deliveredMono: number | undefined
  let asked: string | undefined
  return {
    ask: (reason: string): void => {
      asked ??= reason
    },
    picture: async (jpeg: Buffer, at: number, mono: number): Promise<void> => {
      const image = sharp(jpeg)
      const { channels } = await image.stats()
      const varies = channels.some(({ stdev }) => stdev > flatDeviation)
      sink.sample({ at, varies })
      config.onCameraLook?.({ mono, varies, mark: createHash('sha256').update(jpeg).digest('base64') })
      const waited = deliveredMono === undefined ? Number.POSITIVE_INFINITY : mono - deliveredMono
      const due = config.camera.stills && waited >= config.camera.stillIntervalMs - sampleMsOf(config) / 2
      if (!due && asked === undefined) return
      const trigger = asked ?? 'interval'
      asked = undefined
      deliveredMono = mono
      const { data, info } = await image
        .webp({ quality: stillQuality, effort: webpEffort })
        .toBuffer({ resolveWithObject: true })
      await sink.item({
        kind: 'camera_frame',
        lane: 'camera',
        capturedAt: at,
        monotonicMs: mono,
        contentType: 'image/webp',
        bytes: data,
        small: await smallOf(sharp(jpeg)),
        meta: { width: info.width, height: info.height, trigger },
      })
    },
  }
}

type Stills = ReturnType<typeof createStills>

/**
 * The webcam by one ffmpeg process (a device opens once): stills on its standard output, clips on a second pipe.
 * `camera.source` may name a file, which is then played in real time, over and over, in place of a device.
 */
export const createCameraDriver = (clock: Clock = systemClock): Driver => {
  let stills: Stills | undefined
  return {
    name: 'ffmpeg-camera',
    probe: probeCamera,
    trigger: (reason) => stills?.ask(reason),
    start: async (sink, config, signal) => {
      const source = config.camera.source ?? firstCamera()
      if (!source) throw new DriverError('not_observable', 'this machine has no camera')
      const { camera, env = process.env } = config
      const sampleMs = sampleMsOf(config)
      const input = await inspectCamera(source, env)
      // One decoder thread keeps up with any camera; more only hold frames in memory.
      const args = ['-threads', '1', ...input.args, ...outputsOf(config, input, sampleMs)]
      const ffmpeg = startFfmpeg(args, env, { second: camera.clips })
      const failed = new AbortController()
      const splitter = new JpegSplitter()
      const own = createStills(sink, config)
      stills = own
      let queue: Promise<void> = Promise.resolve()
      ffmpeg.stdout.on('data', (bytes: Buffer) => {
        const at = clock.wallMs()
        const mono = clock.monotonicMs()
        try {
          for (const jpeg of splitter.push(bytes)) queue = queue.then(() => own.picture(jpeg, at, mono))
        } catch (error) {
          failed.abort(error)
        }
        queue.catch((error: unknown) => failed.abort(error))
      })
      const { clipSeconds, framesPerSecond } = camera
      const clipOptions = { kind: 'camera_clip', lane: 'camera', clipSeconds, framesPerSecond, meta: {} } as const
      const clips = ffmpeg.second ? recordClips(ffmpeg.second, sink, clock, clipOptions) : undefined
      const stops = [signal, failed.signal, ...(clips ? [clips.failed] : [])]
      await endedOrAborted(ffmpeg, AbortSignal.any(stops))
      const stopped = signal.aborted
      await ffmpeg.finish()
      stills = undefined
      await queue
      await clips?.finish()
      if (stopped) return
      if (failed.signal.aborted) throw failed.signal.reason
      throw new DriverError(existsSync(source.path) ? 'driver_failed' : 'unplugged', ffmpeg.ending())
    },
  }
}
