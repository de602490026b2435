import { describe, expect, it } from 'vitest'
import { probeClip } from '../../../test/test-support/decode.ts'
import { recordingSink } from '../../../test/test-support/recording-sink.ts'
import { until } from '../../../test/test-support/until.ts'
import { canRunWith } from '../../../test/test-support/virtual-desktop.ts'
import type { DriverSink } from '../../core/capture/types.ts'
import { systemClock } from '../../shared/clock.ts'
import { recordClips } from './clip-recorder.ts'
import { clipOutput, startFfmpeg } from './ffmpeg-process.ts'

const fps = 10
const options = { kind: 'camera_clip', lane: 'camera', framesPerSecond: fps, meta: {} } as const
const quiet = { unchanged: () => undefined, sample: () => undefined, displays: () => undefined }

const film = (realTime: boolean, seconds: number) => {
  const speed = realTime ? ['-re'] : []
  const input = ['-f', 'lavfi', '-i', `testsrc2=size=160x120:rate=${fps}:duration=${seconds}`]
  return startFfmpeg([...speed, ...input, ...clipOutput(fps), 'pipe:1'], process.env)
}

describe.skipIf(!canRunWith('clips', ['ffmpeg', 'ffprobe']))('recording clips', () => {
  it('cuts a stream into clips that begin at zero and together hold every frame', async () => {
    const sink = recordingSink()
    const ffmpeg = film(false, 7)
    const clips = recordClips(
      ffmpeg.stdout,
      { ...quiet, item: async (item) => void sink.items.push(item) },
      systemClock,
      {
        ...options,
        clipSeconds: 3,
      },
    )
    await ffmpeg.closed
    await clips.finish()
    const probed = await Promise.all(sink.items.map(({ bytes }) => probeClip(bytes)))
    expect(probed.map(({ frames }) => frames)).toEqual([30, 30, 10])
    expect(probed.map(({ start }) => start)).toEqual([0, 0, 0])
    expect(sink.items.map(({ durationMs }) => durationMs)).toEqual([3000, 3000, 1000])
  })

  it('dates each clip of a live stream from the end of the one before, however late it is delivered', async () => {
    const sink = recordingSink()
    const ffmpeg = film(true, 3)
    const clips = recordClips(
      ffmpeg.stdout,
      { ...quiet, item: async (item) => void sink.items.push(item) },
      systemClock,
      {
        ...options,
        clipSeconds: 1,
      },
    )
    await ffmpeg.closed
    await clips.finish()
    expect(sink.items).toHaveLength(3)
    const ends = sink.items.map(({ capturedAt, durationMs = 0 }) => capturedAt + durationMs)
    expect(sink.items.slice(1).map(({ capturedAt }) => capturedAt)).toEqual(ends.slice(0, 2))
  })

  it('delivers a playable clip of what there was when ffmpeg is killed', async () => {
    const sink = recordingSink()
    const ffmpeg = film(true, 60)
    let bytes = 0
    ffmpeg.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    const clips = recordClips(
      ffmpeg.stdout,
      { ...quiet, item: async (item) => void sink.items.push(item) },
      systemClock,
      {
        ...options,
        clipSeconds: 60,
      },
    )
    await until('the first fragments', () => bytes > 20_000)
    ffmpeg.child.kill('SIGKILL')
    await ffmpeg.closed
    await clips.finish()
    expect(sink.items).toHaveLength(1)
    const { frames } = await probeClip(sink.items[0]!.bytes)
    expect(frames).toBeGreaterThan(0)
    expect(sink.items[0]!.durationMs).toBe((frames * 1000) / fps)
  })

  it('stops and says so when a clip cannot be delivered', async () => {
    const full: DriverSink = { ...quiet, item: () => Promise.reject(new Error('the disk is full')) }
    const ffmpeg = film(false, 5)
    const clips = recordClips(ffmpeg.stdout, full, systemClock, { ...options, clipSeconds: 1 })
    await ffmpeg.closed
    await expect(clips.finish()).rejects.toThrow('the disk is full')
    expect(clips.failed.aborted).toBe(true)
  })
})
