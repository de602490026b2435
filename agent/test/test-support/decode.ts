import { sampleRate } from '../../src/core/capture/pcm.ts'
import { runCommand } from '../../src/shared/child-process.ts'

/** Decodes any sound ffmpeg reads to 16 kHz mono samples of −1 to 1. */
export const decodeSound = async (bytes: Buffer): Promise<Float32Array> => {
  const args = ['-loglevel', 'error', '-i', 'pipe:0', '-ac', '1', '-ar', String(sampleRate), '-f', 's16le', 'pipe:1']
  const { code, stdout, stderr } = await runCommand('ffmpeg', args, { input: bytes })
  if (code !== 0) throw new Error(stderr)
  return Float32Array.from({ length: Math.floor(stdout.length / 2) }, (_, i) => stdout.readInt16LE(i * 2) / 32_768)
}

/** Decodes a clip to its number of frames and the time of the first one, by ffprobe. */
export const probeClip = async (bytes: Buffer): Promise<{ frames: number; start: number; width: number }> => {
  const entries = 'stream=nb_read_frames,start_time,width'
  const args = [
    '-v',
    'error',
    '-count_frames',
    '-select_streams',
    'v',
    '-show_entries',
    entries,
    '-of',
    'json',
    'pipe:0',
  ]
  const { code, stdout, stderr } = await runCommand('ffprobe', args, { input: bytes })
  if (code !== 0) throw new Error(stderr)
  const { streams } = JSON.parse(stdout.toString()) as {
    streams: { nb_read_frames: string; start_time: string; width: number }[]
  }
  const stream = streams[0]!
  return { frames: Number(stream.nb_read_frames), start: Number(stream.start_time), width: stream.width }
}

/** Goertzel: the amplitude (0 to 1) of one frequency in the loudest of the given stretches of sound. */
export const toneAmplitude = (samples: Float32Array, hertz: number, windowSeconds = 0.25): number => {
  const size = Math.round(windowSeconds * sampleRate)
  let best = 0
  for (let start = 0; start + size <= samples.length; start += size) {
    best = Math.max(best, goertzel(samples.subarray(start, start + size), hertz))
  }
  return best
}

/** The same of a tone that has to be there. A busy machine drops pieces of sound: its best twentieth of a second is whole. */
export const heardAmplitude = (samples: Float32Array, hertz: number): number => toneAmplitude(samples, hertz, 0.05)

const goertzel = (samples: Float32Array, hertz: number): number => {
  const coefficient = 2 * Math.cos((2 * Math.PI * hertz) / sampleRate)
  let one = 0
  let two = 0
  for (const sample of samples) {
    const next = sample + coefficient * one - two
    two = one
    one = next
  }
  return (2 * Math.sqrt(Math.max(0, one * one + two * two - coefficient * one * two))) / samples.length
}
