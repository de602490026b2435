import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import ffmpegStatic from 'ffmpeg-static'
import type { FfmpegProgram } from './film.types.ts'
import { FilmError } from './film-error.ts'

const run = promisify(execFile)
const neededEncoders = ['libx264', 'aac'] as const

/** What a program is, or in words why it cannot be used. */
type Probe = { readonly program: FfmpegProgram } | { readonly reason: string }

const output = async (path: string, argument: string): Promise<string> => {
  const { stdout } = await run(path, ['-hide_banner', argument], {
    timeout: 10_000,
    killSignal: 'SIGKILL',
    maxBuffer: 2 ** 22,
  })
  return stdout
}

const probe = async (path: string): Promise<Probe> => {
  try {
    const [version, encoders] = await Promise.all([output(path, '-version'), output(path, '-encoders')])
    const first = version.split('\n', 1)[0] ?? ''
    if (!first.startsWith('ffmpeg version ')) return { reason: 'it is not ffmpeg' }
    const missing = neededEncoders.filter((name) => !new RegExp(`^ [VA][A-Z.]{5} ${name} `, 'm').test(encoders))
    if (missing.length > 0) return { reason: `it has no encoder ${missing.join(' and no ')}` }
    return { program: { path, version: first.replace(/ Copyright.*$/, '').trim() } }
  } catch (error) {
    return { reason: `it cannot be run (${error instanceof Error ? error.message.split('\n', 1)[0] : 'unknown'})` }
  }
}

const isThere = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const onPath = (): string[] =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg'))

/**
 * The ffmpeg to render with: the configured one, else the one of ffmpeg-static (the package installs without its file
 * where GitHub cannot be reached), else the first of PATH that works. Undefined when there is none. Throws
 * FilmError('ffmpeg_unusable') when one is configured and cannot encode H.264 and AAC: another one would hide that.
 */
export const findFfmpeg = async ({ configured }: { configured?: string }): Promise<FfmpegProgram | undefined> => {
  if (configured) {
    const found = await probe(configured)
    if ('program' in found) return found.program
    throw new FilmError(
      'ffmpeg_unusable',
      `the ffmpeg that is configured, ${configured}, cannot be used: ${found.reason}`,
    )
  }
  // ffmpeg-static is CommonJS whose types call the path itself the default export.
  const bundled = ffmpegStatic as unknown as string | null
  for (const path of [...(bundled ? [bundled] : []), ...onPath()]) {
    if (!(await isThere(path))) continue
    const found = await probe(path)
    if ('program' in found) return found.program
  }
  return undefined
}
