import { hostname, release } from 'node:os'

/** The system as the observers know it. */
export const observedPlatform = (platform: NodeJS.Platform): 'linux' | 'darwin' | 'win32' =>
  platform === 'darwin' || platform === 'win32' ? platform : 'linux'

/** The description of this computer that the service gets. */
export const describeDevice = (version: string, platform: NodeJS.Platform): Record<string, string> => ({
  name: hostname().slice(0, 200),
  platform,
  osVersion: release().slice(0, 100),
  appVersion: version,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
})
