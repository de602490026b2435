import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopChild } from '../src/shared/child-process.ts'
import type { Studio } from './studio.ts'

/** Intervals of the default policy, seconds. */
const stillSeconds = 10
const cameraSeconds = 15
const chunkSeconds = 10

const still = (folder: string, name: string): string[] => [
  ...['-c:v', 'libwebp', '-quality', '75', '-compression_level', '2'],
  join(folder, `${name}-%d.webp`),
]

const sound = (folder: string, source: string): string[] => [
  ...[
    '-f',
    'pulse',
    '-i',
    source,
    '-ac',
    '1',
    '-ar',
    '16000',
    '-c:a',
    'libopus',
    '-b:a',
    '24k',
    '-application',
    'voip',
  ],
  ...['-f', 'segment', '-segment_time', String(chunkSeconds), join(folder, `${source}-%d.webm`)],
]

/** The four lanes as a person would record them in a terminal: one ffmpeg each, plain files, nothing proved. */
const commands = ({ desktop, cameraFile }: Studio, folder: string): string[][] => [
  [
    ...['-f', 'x11grab', '-framerate', `1/${stillSeconds}`, '-video_size', '1920x1080', '-i', desktop.display],
    ...still(folder, 'screen'),
  ],
  sound(folder, 'mic'),
  sound(folder, 'sysloop'),
  ['-re', '-stream_loop', '-1', '-i', cameraFile, '-vf', `fps=1/${cameraSeconds}`, ...still(folder, 'camera')],
]

export interface BareCommands {
  readonly pids: readonly number[]
  stop(): Promise<void>
}

/** Starts them. Each has one process. */
export const startBareCommands = async (studio: Studio): Promise<BareCommands> => {
  const folder = await mkdtemp(join(tmpdir(), 'bare-'))
  const children: ChildProcess[] = commands(studio, folder).map((args) =>
    spawn('ffmpeg', ['-hide_banner', '-loglevel', 'error', ...args], {
      env: studio.desktop.env,
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  )
  return {
    pids: children.map(({ pid }) => pid ?? 0),
    stop: async () => {
      const ended = children.filter(({ exitCode }) => exitCode !== null)
      await Promise.all(children.map((child) => stopChild(child)))
      await rm(folder, { recursive: true, force: true })
      if (ended.length > 0) throw new Error(`${ended.length} of the bare commands ended by themselves`)
    },
  }
}
