import type { Environment } from '../../shared/child-process.ts'
import { listXMonitors, type XMonitor } from '../x11/monitors.ts'

export type Display = XMonitor

/** The displays of an X11 desktop, or undefined when no X server tells them: then they are not known, and not none. */
export const listXDisplays = async (env: Environment = process.env): Promise<Display[] | undefined> => {
  if (!env['DISPLAY']) return undefined
  const told = await listXMonitors(env).catch(() => undefined)
  return told && told.length > 0 ? told : undefined
}
