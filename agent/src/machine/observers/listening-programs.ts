import { readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import type { ListenedTo } from '@integrity/protocol'
import { matchProcessName, normalisedProcessName } from '../../core/observers/catalogue.ts'
import { helpingPrograms } from '../../core/observers/helping-programs.data.ts'

const readOr = (read: () => string): string | undefined => {
  try {
    return read()
  } catch {
    return undefined // gone, or not ours to read
  }
}

/** The program file of a process; undefined where it is gone, in a box of its own, or another user's. */
export const programOf = (pid: number, root = ''): string | undefined => {
  const exe = readOr(() => readlinkSync(`${root}/proc/${pid}/exe`))
  return exe === undefined ? undefined : basename(exe.replace(/ \(deleted\)$/, ''))
}

const parentOf = (pid: number): number => {
  const stat = readOr(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? ''
  // The name, in brackets, may hold anything.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
}

/** What records for us, besides this process. A program that the candidate opened from here is none of them. */
const ourRecorders = new Set(['ffmpeg', 'parec', 'pacat', 'parecord', 'arecord', 'sox', 'rec'])

/** Whether a process is this one, or a recorder that it started. */
export const isOurs = (pid: number, own: number): boolean => {
  const program = programOf(pid)
  if (pid !== own && !ourRecorders.has(program ?? '') && program !== programOf(own)) return false
  for (let at = pid, steps = 0; at > 1 && steps < 30; at = parentOf(at), steps += 1) if (at === own) return true
  return false
}

const browsers = new Set([
  ...['chrome', 'google-chrome', 'chromium', 'chromium-browser', 'firefox', 'firefox-bin', 'firefox-esr', 'librewolf'],
  ...['msedge', 'microsoft-edge', 'brave', 'brave-browser', 'opera', 'vivaldi', 'vivaldi-bin', 'epiphany'],
])

/**
 * Whether a program is the one of the linked call. Any call can be held in a browser, which then needs microphone and
 * camera; what the speakers play it does not need.
 */
export const isOfCall = (process: string, callIn: string | undefined, of: ListenedTo): boolean => {
  if (callIn === undefined) return false
  const name = normalisedProcessName(process)
  if (matchProcessName(process)?.program === callIn || name === callIn.toLowerCase()) return true
  return of !== 'speakers' && browsers.has(name)
}

export const isHelping = (...names: readonly (string | undefined)[]): boolean =>
  names.some((name) => name !== undefined && helpingPrograms.includes(normalisedProcessName(name)))

/** The name that a camera's maker gave it. */
export const cameraName = (device: string, root = ''): string =>
  readOr(() => readFileSync(`${root}/sys/class/video4linux/${device}/name`, 'utf8'))?.trim() || device
