import type { CameraSource, CaptureConfig } from '../../core/capture/types.ts'
import { runCommand } from '../../shared/child-process.ts'
import { findFfmpeg } from '../ffmpeg/ffmpeg.ts'

/** How ffmpeg opens a camera. `motionJpeg`: every frame is a JPEG already, and need not be decoded to be kept. */
export interface CameraInput {
  readonly args: string[]
  readonly motionJpeg: boolean
}

const opensWithin = 10_000

const words = async (env: NonNullable<CaptureConfig['env']>, ...args: string[]): Promise<string> => {
  const ffmpeg = findFfmpeg(env)
  if (!ffmpeg) return ''
  const { stderr, stdout } = await runCommand(ffmpeg, ['-hide_banner', ...args], { env, timeoutMs: opensWithin })
  return `${stdout.toString()}\n${stderr}`
}

/** `[video4linux2,v4l2 @ 0x…] Compressed:       mjpeg :          Motion-JPEG : 640x480 …` among the formats of a device. */
export const listsMotionJpeg = (formats: string): boolean => /Compressed\s*:\s+mjpe?g\s*:/i.test(formats)

/** `Stream #0:0: Video: mjpeg (Baseline), yuvj420p(…), 640x480 …`: what a file holds. */
export const isMotionJpeg = (description: string): boolean => /^\s*Stream #0:\d+.*?: Video: mjpeg\b/m.test(description)

/** Whether this ffmpeg can leave packets out by an expression (its `noise` filter, since version 5). */
export const canDropPackets = (help: string): boolean => /^\s*-?drop\s+<string>/m.test(help)

/** Looks at a camera. What cannot be found out is taken for a camera whose frames need decoding. */
export const inspectCamera = async (
  source: CameraSource,
  env: NonNullable<CaptureConfig['env']>,
): Promise<CameraInput> => {
  const droppable = canDropPackets(await words(env, '-h', 'bsf=noise'))
  if (source.kind === 'file') {
    const args = ['-re', '-stream_loop', '-1', '-i', source.path]
    return { args, motionJpeg: droppable && isMotionJpeg(await words(env, '-i', source.path)) }
  }
  const listed = await words(env, '-f', 'v4l2', '-list_formats', 'all', '-i', source.path)
  const motionJpeg = droppable && listsMotionJpeg(listed)
  // Raw pictures are what ffmpeg takes unless told; a camera sends fewer of them, and they cost an encoder.
  return { args: ['-f', 'v4l2', ...(motionJpeg ? ['-input_format', 'mjpeg'] : []), '-i', source.path], motionJpeg }
}

/** A text as it has to be written where ffmpeg takes it out of its quotes once. */
const quoted = (text: string): string => text.replace(/[\\']/g, '\\$&')

/**
 * Output options for one JPEG picture each `everyMs` on standard output, the first at once. Motion JPEG is copied: all
 * packets but those are dropped before anything is decoded, which costs a quarter of what decoding them does.
 */
export const stillsOutput = ({ motionJpeg }: CameraInput, everyMs: number): string[] => {
  const seconds = everyMs / 1000
  if (motionJpeg) {
    // ld(1): there was a first one; ld(0): when the last was let through. An evaluation that is not 0 drops.
    const due = `not(ld(1))+gte(pts*tb-ld(0)\\,${seconds})`
    const filter = `noise=drop='if(${due}\\,st(0\\,pts*tb)*0+st(1\\,1)*0\\,1)'`
    // The filter belongs to the tee, as one of ffmpeg's own is ended where a film begins again.
    return ['-c:v', 'copy', '-f', 'tee', `[f=image2pipe:flush_packets=1:bsfs/v=${quoted(quoted(filter))}]pipe:1`]
  }
  // `select` gives the first frame at once; the fps filter would hold it back for half an interval.
  const pick = `select='isnan(prev_selected_t)+gte(t-prev_selected_t,${seconds})'`
  const encode = ['-vf', pick, '-vsync', 'vfr', '-c:v', 'mjpeg', '-q:v', '3']
  return [...encode, '-flush_packets', '1', '-f', 'image2pipe', 'pipe:1']
}
