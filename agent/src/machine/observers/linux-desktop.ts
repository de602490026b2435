import type { Environment } from '../../shared/child-process.ts'

/** Whether the session is Wayland's. X programs answer there too (XWayland), but only for themselves. */
export const isWayland = (env: Environment): boolean =>
  Boolean(env['WAYLAND_DISPLAY']) || env['XDG_SESSION_TYPE'] === 'wayland'

/** Whether the desktop calls itself one of these; XDG_CURRENT_DESKTOP is a list such as `ubuntu:GNOME`. */
export const isDesktop = (env: Environment, ...names: string[]): boolean =>
  (env['XDG_CURRENT_DESKTOP'] ?? '').split(':').some((name) => names.includes(name.toUpperCase()))
