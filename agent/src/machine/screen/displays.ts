import { commandText, type Environment } from '../../shared/child-process.ts'
import type { Rectangle } from '../stills/fingerprint.ts'
import { listXMonitors } from '../x11/monitors.ts'

export type Display = Rectangle & { id: string; primary: boolean }

/** The lines of `xrandr --listmonitors`: ` 0: +*DP-1 1920/598x1080/336+0+0  DP-1`. */
export const parseXrandrMonitors = (text: string): Display[] => {
  const displays: Display[] = []
  for (const line of text.split('\n')) {
    const match = /^\s*\d+:\s+([+*]*)(\S+)\s+(\d+)\/\d+x(\d+)\/\d+([+-]\d+)([+-]\d+)/.exec(line)
    if (!match) continue
    const [, flags, id, width, height, x, y] = match
    displays.push({
      id: id!,
      x: Number(x),
      y: Number(y),
      width: Number(width),
      height: Number(height),
      primary: flags!.includes('*'),
    })
  }
  return displays
}

/** The displays of an X11 desktop, or undefined when there is no X server to ask. */
export const listXDisplays = async (env: Environment = process.env): Promise<Display[] | undefined> => {
  if (!env['DISPLAY']) return undefined
  const told = await listXMonitors(env).catch(() => undefined)
  if (told && told.length > 0) return told
  const text = await commandText('xrandr', ['--listmonitors'], { env, timeoutMs: 5000 })
  if (text === undefined) return undefined
  const displays = parseXrandrMonitors(text)
  return displays.length > 0 ? displays : undefined
}
