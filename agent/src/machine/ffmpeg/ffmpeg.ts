import { existsSync } from 'node:fs'
import ffmpegStatic from 'ffmpeg-static'
import type { ProbeResult } from '../../core/capture/types.ts'
import { commandText, type Environment, findProgram } from '../../shared/child-process.ts'

export interface Ffmpeg {
  path: string
  encoders: ReadonlySet<string>
  devices: ReadonlySet<string>
}

/**
 * Where ffmpeg is: `FFMPEG_PATH`, then ffmpeg-static when its file exists (the package installs without it where
 * GitHub cannot be reached), then PATH.
 */
export const findFfmpeg = (env: Environment = process.env): string | undefined => {
  // ffmpeg-static is CommonJS whose types call the path itself the default export.
  const bundled = ffmpegStatic as unknown as string | null
  const candidates = [env['FFMPEG_PATH'], bundled]
  return candidates.find((path) => path && existsSync(path)) ?? findProgram('ffmpeg', env)
}

/** The second column of ffmpeg's lists: ` V..... libx264  …`, ` DE pulse  …`. */
export const parseFfmpegList = (text: string): Set<string> => {
  const names = new Set<string>()
  for (const line of text.split('\n')) {
    const match = /^\s?[A-Z. ]{2,6}\s+([\w,]+)\s/.exec(line)
    for (const name of match?.[1]?.split(',') ?? []) names.add(name)
  }
  return names
}

const probed = new Map<string, Promise<Ffmpeg | undefined>>()

const inspect = async (path: string, env: Environment): Promise<Ffmpeg | undefined> => {
  const [encoders, devices] = await Promise.all([
    commandText(path, ['-hide_banner', '-encoders'], { env }),
    commandText(path, ['-hide_banner', '-devices'], { env }),
  ])
  if (encoders === undefined || devices === undefined) return undefined
  return { path, encoders: parseFfmpegList(encoders), devices: parseFfmpegList(devices) }
}

/** ffmpeg with what this build can encode and read from; asked once for each path. Undefined when there is none. */
export const probeFfmpeg = async (env: Environment = process.env): Promise<Ffmpeg | undefined> => {
  const path = findFfmpeg(env)
  if (!path) return undefined
  let answer = probed.get(path)
  if (!answer) {
    answer = inspect(path, env)
    probed.set(path, answer)
  }
  const ffmpeg = await answer
  if (!ffmpeg) probed.delete(path)
  return ffmpeg
}

/** Whether this machine's ffmpeg has all that a driver needs. */
export const requireFfmpeg = async (
  needs: { encoders?: string[]; devices?: string[] },
  env: Environment = process.env,
): Promise<ProbeResult> => {
  const ffmpeg = await probeFfmpeg(env)
  if (!ffmpeg) return { ok: false, reason: 'not_observable', detail: 'ffmpeg was not found' }
  const missing = [
    ...(needs.encoders ?? []).filter((name) => !ffmpeg.encoders.has(name)).map((name) => `encoder ${name}`),
    ...(needs.devices ?? []).filter((name) => !ffmpeg.devices.has(name)).map((name) => `device ${name}`),
  ]
  if (missing.length === 0) return { ok: true }
  return { ok: false, reason: 'not_observable', detail: `ffmpeg has no ${missing.join(', ')}` }
}
