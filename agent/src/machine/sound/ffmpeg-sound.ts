import { BYTES_PER_MS, SAMPLE_RATE } from '../../core/capture/pcm.ts'
import { stopChild } from '../../shared/child-process.ts'
import { startFfmpeg } from '../ffmpeg/ffmpeg-process.ts'
import { recordingOfProcess } from './process-recording.ts'
import type { OpenPcm } from './sound-recorder.ts'

/** 100 ms of sound. Without small fragments it arrives seconds late. */
const FRAGMENT_BYTES = BYTES_PER_MS * 100

/** Opens a PulseAudio source by ffmpeg. The sound server converts to our format, which it does at less cost. */
export const openFfmpegPcm: OpenPcm = (source, config) => {
  const format = ['-sample_rate', String(SAMPLE_RATE), '-channels', '1']
  const input = ['-f', 'pulse', ...format, '-fragment_size', String(FRAGMENT_BYTES), '-i', source.name]
  const output = ['-c:a', 'copy', '-flush_packets', '1', '-f', 's16le', 'pipe:1']
  const ffmpeg = startFfmpeg([...input, ...output], config.env ?? process.env)
  const recorder = {
    pid: ffmpeg.child.pid ?? 0,
    stdout: ffmpeg.stdout,
    ended: ffmpeg.closed.then(() => ffmpeg.ending()),
    stop: () => stopChild(ffmpeg.child),
  }
  return recordingOfProcess(recorder, source, config.env)
}
