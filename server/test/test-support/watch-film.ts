import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ffmpeg } from './film-fixtures.ts'

const run = promisify(execFile)
const binary = { encoding: 'buffer', maxBuffer: 2 ** 26 } as const

interface Spot {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A film as somebody who downloaded it sees and hears it. */
export interface SeenFilm {
  /** What ffprobe says of its streams and its length. */
  probe(): Promise<{ codecs: string[]; width: number; height: number; seconds: number }>
  /** The pixels of a part of the picture at a second, RGB. */
  pixels(second: number, spot: Spot): Promise<Buffer>
  /** The mean colour of a part of the picture at a second. */
  colour(second: number, spot: Spot): Promise<[number, number, number]>
  /** Root mean square of the sound between two seconds; full scale is 1. */
  loudness(from: number, to: number): Promise<number>
}

/** Writes the bytes into `directory` and looks at them with ffmpeg and ffprobe. */
export const seeFilm = async (bytes: Buffer, directory: string): Promise<SeenFilm> => {
  const program = ffmpeg?.path ?? 'ffmpeg'
  const path = join(directory, 'downloaded.mp4')
  await writeFile(path, bytes)
  const pixels = async (second: number, { x, y, width, height }: Spot): Promise<Buffer> => {
    const cut = ['-vf', `crop=${width}:${height}:${x}:${y}:exact=1`, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-']
    const args = ['-v', 'error', '-ss', String(second), '-i', path, '-frames:v', '1', ...cut]
    return (await run(program, args, binary)).stdout
  }
  return {
    pixels,
    probe: async () => {
      const args = ['-v', 'error', '-show_format', '-show_streams', '-of', 'json', path]
      const { stdout } = await run(program.replace(/ffmpeg$/, 'ffprobe'), args)
      const { streams, format } = JSON.parse(stdout) as {
        streams: { codec_name: string; width?: number; height?: number }[]
        format: { duration: string }
      }
      const codecs = streams.map((stream) => stream.codec_name)
      return {
        codecs,
        width: streams[0]?.width ?? 0,
        height: streams[0]?.height ?? 0,
        seconds: Number(format.duration),
      }
    },
    colour: async (second, spot) => {
      const data = await pixels(second, spot)
      const sums: [number, number, number] = [0, 0, 0]
      for (const [i, value] of data.entries()) sums[(i % 3) as 0 | 1 | 2] += value
      return sums.map((sum) => (sum * 3) / data.length) as [number, number, number]
    },
    loudness: async (from, to) => {
      const args = ['-v', 'error', '-i', path, '-af', `atrim=${from}:${to}`, '-vn', '-f', 's16le', '-ac', '1', '-']
      const { stdout } = await run(program, args, binary)
      let squares = 0
      for (let at = 0; at + 1 < stdout.length; at += 2) squares += (stdout.readInt16LE(at) / 32_768) ** 2
      return Math.sqrt(squares / Math.max(1, stdout.length / 2))
    },
  }
}
