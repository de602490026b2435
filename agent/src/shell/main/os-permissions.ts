import { isRecordedLane, type LaneName, type RecordedLane } from '@integrity/protocol'
import { shell, systemPreferences } from 'electron'
import type { PermissionsPort } from '../../desktop/desktop-agent.types.ts'

type Medium = Parameters<typeof systemPreferences.getMediaAccessStatus>[0]

/** What the system calls the permission of a lane; it has none for its own sound. */
const media: Record<RecordedLane, Medium | undefined> = {
  screen: 'screen',
  microphone: 'microphone',
  system_audio: undefined,
  camera: 'camera',
}
const mediumOf = (lane: LaneName): Medium | undefined => (isRecordedLane(lane) ? media[lane] : undefined)

const macSettings = 'x-apple.systempreferences:com.apple.preference.security?Privacy_'
const settings: Readonly<Record<string, Partial<Record<LaneName, string>>>> = {
  darwin: {
    screen: `${macSettings}ScreenCapture`,
    // From macOS 14.4 the sound of the computer is listed beside the screen.
    system_audio: `${macSettings}ScreenCapture`,
    microphone: `${macSettings}Microphone`,
    camera: `${macSettings}Camera`,
  } satisfies Record<RecordedLane, string>,
  win32: { microphone: 'ms-settings:privacy-microphone', camera: 'ms-settings:privacy-webcam' },
}

/** What the operating system permits. Linux has no such list: `unknown`, and samples decide. macOS and Windows not run. */
export const createOsPermissions = (platform: NodeJS.Platform): PermissionsPort => ({
  status(lane) {
    const medium = mediumOf(lane)
    if (!medium || (platform !== 'darwin' && platform !== 'win32')) return 'unknown'
    const status = systemPreferences.getMediaAccessStatus(medium)
    if (status === 'granted') return 'granted'
    return status === 'denied' || status === 'restricted' ? 'denied' : 'unknown'
  },
  async ask(lane) {
    const medium = mediumOf(lane)
    // The screen is asked for by macOS itself when it is first captured.
    if (platform === 'darwin' && (medium === 'microphone' || medium === 'camera')) {
      await systemPreferences.askForMediaAccess(medium)
    }
  },
  async openSettings(lane) {
    const url = settings[platform]?.[lane]
    if (url === undefined) return false
    await shell.openExternal(url)
    return true
  },
})
