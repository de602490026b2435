import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordingSink } from '../../../test/test-support/recording-sink.ts'
import { until } from '../../../test/test-support/until.ts'
import { canRunWith, makeCameraFile } from '../../../test/test-support/virtual-desktop.ts'
import { createLane } from '../../core/capture/lane.ts'
import { defaultCaptureConfig, type PictureLook } from '../../core/capture/types.ts'
import { runCommand } from '../../shared/child-process.ts'
import { createCameraDriver } from '../camera/camera.ts'
import { findFfmpeg } from '../ffmpeg/ffmpeg.ts'

/** As a camera of motion JPEG gives its pictures, and as one of raw pictures does. */
const ways = ['mjpeg', 'rawvideo'] as const

describe.skipIf(!canRunWith('pictures of a camera', ['ffmpeg']))('what the lane of the camera looks at', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'unchanged-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const film = async (name: string, input: string, codec: string): Promise<string> => {
    const path = join(folder, `${name}-${codec}.avi`)
    // Of one quality: an encoder that keeps to a bit rate makes other pictures of the same one.
    const args = ['-y', '-f', 'lavfi', '-i', input, '-t', '8', '-c:v', codec, '-q:v', '3', path]
    await runCommand(findFfmpeg(process.env) ?? 'ffmpeg', args, { timeoutMs: 30_000 })
    return path
  }

  /** The first looks at a camera that gives this file. */
  const looksAt = async (path: string): Promise<PictureLook[]> => {
    const looks: PictureLook[] = []
    const camera = { ...defaultCaptureConfig.camera, stillIntervalMs: 400, source: { kind: 'file', path } as const }
    const config = { ...defaultCaptureConfig, camera, onCameraLook: (look: PictureLook) => void looks.push(look) }
    const lane = createLane({ lane: 'camera', drivers: [createCameraDriver()], sink: recordingSink(), config })
    lane.start()
    await until('five looks', () => looks.length >= 5)
    await lane.stop()
    return looks.slice(0, 5)
  }
  const marks = (looks: readonly PictureLook[]): number => new Set(looks.map(({ mark }) => mark)).size

  it.each(ways)('has one mark for one picture that is given again and again, as %s', async (codec) => {
    const looks = await looksAt(await film('one', 'smptebars=size=320x240:rate=10', codec))
    expect(marks(looks)).toBe(1)
    expect(looks.every(({ varies }) => varies)).toBe(true)
    const black = await looksAt(await film('black', 'color=black:size=320x240:rate=10', codec))
    expect(marks(black)).toBe(1)
    expect(black.some(({ varies }) => varies)).toBe(false)
  })

  it.each(ways)('has another mark for each picture of an empty room with a little noise, as %s', async (codec) => {
    const wall = "nullsrc=size=320x240:rate=10,geq=lum='80+60*X/W+30*Y/H':cb=128:cr=128"
    expect(marks(await looksAt(await film('wall', `${wall},noise=alls=3:allf=t`, codec)))).toBe(5)
  })

  it('has one mark, and a single colour, where noise is weaker than what JPEG keeps of a plain picture', async () => {
    const looks = await looksAt(await film('plain', 'color=gray:size=320x240:rate=10,noise=alls=2:allf=t', 'rawvideo'))
    expect(marks(looks)).toBe(1)
    expect(looks.some(({ varies }) => varies)).toBe(false)
  })

  it('has another mark for each picture of a film', async () => {
    const path = await makeCameraFile(join(folder, 'webcam.avi'), { seconds: 8, size: '320x240' })
    expect(marks(await looksAt(path))).toBe(5)
  })
})
