import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canRunWith } from '../../../test/test-support/virtual-desktop.ts'
import { runCommand } from '../../shared/child-process.ts'
import { JpegSplitter } from '../ffmpeg/jpeg-stream.ts'
import { canDropPackets, inspectCamera, isMotionJpeg, listsMotionJpeg, stillsOutput } from './camera-input.ts'

const device = `[video4linux2,v4l2 @ 0x55d] Raw       :     yuyv422 :           YUYV 4:2:2 : 640x480 320x240
[video4linux2,v4l2 @ 0x55d] Compressed:       mjpeg :          Motion-JPEG : 1280x720 640x480
/dev/video0: Immediate exit requested`

describe('what ffmpeg says of a camera', () => {
  it('knows a device that can send Motion JPEG', () => {
    expect(listsMotionJpeg(device)).toBe(true)
    expect(listsMotionJpeg(device.split('\n')[0] ?? '')).toBe(false)
    expect(listsMotionJpeg('Compressed:        h264 :                H.264 : 1280x720')).toBe(false)
    expect(listsMotionJpeg('')).toBe(false)
  })

  it('knows a file of Motion JPEG from others', () => {
    expect(isMotionJpeg('  Stream #0:0: Video: mjpeg (Baseline) (MJPG / 0x47504A4D), yuvj420p(pc), 640x480')).toBe(true)
    expect(isMotionJpeg('  Stream #0:0(und): Video: h264 (High), yuv420p, 640x480')).toBe(false)
    expect(isMotionJpeg('  Stream #0:0: Audio: mp3\n')).toBe(false)
  })

  it('asks for raw frames to be picked where packets cannot be dropped', () => {
    expect(canDropPackets('noise AVOptions:\n  -amount <string> ...\n  dropamount <int> ...')).toBe(false)
    expect(stillsOutput({ args: [], motionJpeg: false }, 5000).join(' ')).toContain('select=')
  })
})

describe.skipIf(!canRunWith('camera input', ['ffmpeg']))('a film in the place of a camera', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'camera-input-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const film = async (name: string, ...codec: string[]): Promise<string> => {
    const path = join(folder, name)
    const source = ['-f', 'lavfi', '-i', 'testsrc=duration=6:size=320x240:rate=10']
    await runCommand('ffmpeg', ['-loglevel', 'error', ...source, ...codec, path], { env: process.env })
    return path
  }

  it.each([
    ['Motion JPEG, whose frames are copied', 'film.avi', ['-c:v', 'mjpeg', '-q:v', '3'], true],
    ['H.264, whose frames are decoded', 'film.mp4', ['-c:v', 'libx264', '-g', '10'], false],
  ])(
    'gives one whole picture each two seconds of %s, also when the film begins anew',
    async (_what, name, codec, motionJpeg) => {
      const input = await inspectCamera({ kind: 'file', path: await film(name, ...codec) }, process.env)
      expect(input.motionJpeg).toBe(motionJpeg)
      // Two times more, as fast as can be, in place of forever and in real time.
      const read = input.args.filter((arg) => arg !== '-re').map((arg) => (arg === '-1' ? '2' : arg))
      const args = ['-loglevel', 'error', ...read, '-map', '0:v', ...stillsOutput(input, 2000)]
      const { stdout } = await runCommand('ffmpeg', args, { env: process.env })
      const splitter = new JpegSplitter()
      const pictures = splitter.push(stdout)
      expect(pictures).toHaveLength(9)
      for (const picture of pictures) expect(await sharp(picture).metadata()).toMatchObject({ width: 320, height: 240 })
    },
  )
})
