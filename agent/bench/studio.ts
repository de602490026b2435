import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findProgram } from '../src/shared/child-process.ts'
import {
  desktopPrograms,
  makeCameraFile,
  soundPrograms,
  startVirtualDesktop,
  type VirtualDesktop,
} from '../test/test-support/virtual-desktop.ts'

const sentence = 'I would keep the index in memory, and write each change to the log before I answer.'
const speakerHertz = 330

/** A desktop on which something goes on: a moving picture, words in the microphone, a tone from the speakers, a camera. */
export interface Studio {
  readonly desktop: VirtualDesktop
  readonly cameraFile: string
  stop(): Promise<void>
}

/** Throws when a program is missing. `seconds`: how long the tone lasts. */
export const openStudio = async (seconds: number): Promise<Studio> => {
  const missing = [...desktopPrograms, ...soundPrograms].filter((program) => !findProgram(program))
  if (missing.length > 0) throw new Error(`the agent's bench needs ${missing.join(', ')}`)
  const desktop = await startVirtualDesktop({ width: 1920, height: 1080 })
  const over = new AbortController()
  /** Speaks with pauses, as people do. */
  const talk = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await desktop.speak('micfeed', sentence)
      await delay(1500, undefined, { signal: over.signal }).catch(() => undefined)
    }
  }
  try {
    await desktop.fill('#27425e')
    await desktop.showMovingPicture()
    await desktop.playTone('speaker', speakerHertz, seconds)
    const cameraFile = await makeCameraFile(join(desktop.folder, 'camera.avi'))
    // The desktop going away ends the last sentence.
    const talking = talk().catch(() => undefined)
    const stop = async (): Promise<void> => {
      over.abort()
      await desktop.stop()
      await talking
    }
    return { desktop, cameraFile, stop }
  } catch (error) {
    await desktop.stop()
    throw error
  }
}
