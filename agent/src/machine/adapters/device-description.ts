import { hostname, release } from 'node:os'

/** The system as the observers know it. */
export const observedPlatform = (platform: NodeJS.Platform): 'linux' | 'darwin' | 'win32' =>
  platform === 'darwin' || platform === 'win32' ? platform : 'linux'

/** What the service is told of this computer. */
export const describeDevice = (version: string, platform: NodeJS.Platform): Record<string, string> => ({
  name: hostname().slice(0, 200),
  platform,
  osVersion: release().slice(0, 100),
  appVersion: version,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
})
