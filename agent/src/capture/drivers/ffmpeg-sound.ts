import { stopChild } from '../../shared/child-process.ts'
import { SAMPLE_RATE } from '../pcm.ts'
import { startFfmpeg } from './ffmpeg-process.ts'
import type { OpenPcm } from './sound-recorder.ts'

/** Opens a PulseAudio source by ffmpeg. Without the small fragments sound arrives seconds late. */
export const openFfmpegPcm: OpenPcm = (sourceName, config) => {
  const input = ['-f', 'pulse', '-fragment_size', '9600', '-i', sourceName]
  const output = ['-ac', '1', '-ar', String(SAMPLE_RATE), '-flush_packets', '1', '-f', 's16le', 'pipe:1']
  const ffmpeg = startFfmpeg([...input, ...output], config.env ?? process.env)
  return {
    pid: ffmpeg.child.pid ?? 0,
    stdout: ffmpeg.stdout,
    ended: ffmpeg.closed.then(() => ffmpeg.ending()),
    stop: () => stopChild(ffmpeg.child),
  }
}
