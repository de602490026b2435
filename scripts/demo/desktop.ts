import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { runCommand } from '../../agent/src/shared/child-process.ts'
import { until } from '../../agent/test/test-support/until.ts'
import {
  makeCameraFile,
  startVirtualDesktop,
  type VirtualDesktop,
} from '../../agent/test/test-support/virtual-desktop.ts'
import type { SystemProgram } from '../system-packages.ts'
import type { Cleanup } from './cleanup.ts'
import { say } from './say.ts'

/** What the demo needs of the operating system. */
export const desktopPrograms: readonly SystemProgram[] = [
  'ffmpeg',
  'sox',
  'libsox-fmt-pulse',
  'Xvfb',
  'openbox',
  'xprop',
  'xrandr',
  'chromium',
  'pulseaudio',
  'pactl',
  'paplay',
  'flite',
  'fonts-dejavu-core',
]

/** What the two voices say, over and over. */
const sentences = {
  micfeed: 'I would begin with the data model and write the tests first.',
  speaker: 'Thank you. Please explain how you would store the orders.',
} as const

export interface DemoDesktop {
  readonly env: VirtualDesktop['env']
  readonly display: string
  readonly cameraFile: string
  /** Another window comes to the front. */
  openNotes(): Promise<void>
}

const showPage = async (desktop: VirtualDesktop): Promise<void> => {
  const page = pathToFileURL(join(import.meta.dirname, 'moving-page.html'))
  const [, title] = /<title>(.+)<\/title>/.exec(await readFile(page, 'utf8')) ?? []
  if (title === undefined) throw new Error('moving-page.html has no title to be found by')
  desktop.launch('chromium', [
    // The page is the demo's own and goes nowhere; as root, and in most containers, the sandbox cannot start.
    '--no-sandbox',
    '--test-type',
    '--disable-gpu',
    '--no-first-run',
    '--disable-breakpad',
    '--disable-crash-reporter',
    '--disable-background-networking',
    '--disable-dev-shm-usage',
    `--user-data-dir=${join(desktop.folder, 'chromium')}`,
    '--window-position=60,40',
    '--window-size=1100,600',
    `--app=${page.href}`,
  ])
  await until(
    "the page's window",
    async () => {
      const { stdout } = await runCommand('xprop', ['-root', '_NET_ACTIVE_WINDOW'], { env: desktop.env })
      const id = /# (0x[0-9a-f]+)/.exec(stdout.toString())?.[1]
      if (id === undefined || id === '0x0') return false
      const name = await runCommand('xprop', ['-id', id, 'WM_NAME'], { env: desktop.env })
      return name.stdout.toString().includes(title)
    },
    60_000,
  )
}

/** Says a sentence, waits a little, and again, until the signal aborts. */
const speakOver = async (
  desktop: VirtualDesktop,
  sink: keyof typeof sentences,
  signal: AbortSignal,
  cleanup: Cleanup,
): Promise<void> => {
  while (!signal.aborted) {
    try {
      await desktop.speak(sink, sentences[sink])
      await delay(1500, undefined, { signal })
    } catch (error) {
      if (!cleanup.begun) say(`a voice fell silent: ${error instanceof Error ? error.message : String(error)}`)
      return
    }
  }
}

/**
 * A desktop that belongs to nobody: a virtual display with a browser, a virtual microphone and loudspeaker with a voice
 * each, and a film for a camera. The screen, microphone and camera of whoever runs the demo are left alone.
 */
export const startDemoDesktop = async (cleanup: Cleanup): Promise<DemoDesktop> => {
  const starting = startVirtualDesktop({ width: 1280, height: 720 })
  cleanup.add(async () => (await starting.catch(() => undefined))?.stop())
  const desktop = await starting
  say(`Display ${desktop.display} and its sound are there; a browser opens the demo's moving page.`)
  const [cameraFile] = await Promise.all([
    makeCameraFile(join(desktop.folder, 'camera.avi'), { seconds: 4 }),
    desktop.fill('#35506b'),
    showPage(desktop),
  ])
  say('The page is on the display. Two voices begin to speak.')
  const silence = new AbortController()
  const voices = (['micfeed', 'speaker'] as const).map((sink) => speakOver(desktop, sink, silence.signal, cleanup))
  cleanup.add(async () => {
    silence.abort()
    await Promise.all(voices)
  })
  return {
    env: desktop.env,
    display: desktop.display,
    cameraFile,
    openNotes: async () => {
      await desktop.openWindow('Notes: orders, customers, stock')
    },
  }
}
