import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sessionConfig } from '@integrity/protocol'
import type { LaneName, LaneSink } from '../src/core/capture/types.ts'
import { fileKeyStore } from '../src/core/spool/key-store.ts'
import { Spool } from '../src/core/spool/spool.ts'
import { toCaptureConfig } from '../src/machine/adapters/capture-config.ts'
import { createLanes } from '../src/machine/adapters/create-lanes.ts'
import { createPageLinks } from '../src/machine/page/page-links.ts'
import { runCommand } from '../src/shared/child-process.ts'
import { systemClock } from '../src/shared/clock.ts'
import { buildCapturePage, startCaptureBrowser } from '../test/test-support/capture-browser.ts'
import { until } from '../test/test-support/until.ts'
import type { Studio } from './studio.ts'

const lanes: LaneName[] = ['screen', 'microphone', 'system_audio', 'camera']
const startMs = 60_000

/** What Chromium calls the devices that it plays files from. */
const fakeInputs = { micSource: 'Fake Audio Input 1', systemSource: 'Fake Audio Input 2' }

/** Films for a browser are Motion JPEG without a container, its sounds WAV. */
const makeSources = async (studio: Studio, folder: string) => {
  const { env } = studio.desktop
  const camera = join(folder, 'camera.mjpeg')
  const voice = join(folder, 'voice.wav')
  const copy = ['-loglevel', 'error', '-i', studio.cameraFile, '-c', 'copy', '-f', 'mjpeg', camera]
  const tone = ['-n', '-r', '48000', '-c', '1', voice, 'synth', '10', 'sine', '440', 'vol', '0.5']
  for (const [program, args] of [
    ['ffmpeg', copy],
    ['sox', tone],
  ] as const) {
    const { code, stderr } = await runCommand(program, args, { env })
    if (code !== 0) throw new Error(`${program}: ${stderr}`)
  }
  return { camera, voice }
}

export interface RecordingPage {
  /** Items that are safe on the disk, by the driver that recorded them. */
  captured(): Readonly<Record<string, number>>
  stop(): Promise<void>
}

/** All four lanes by the web drivers at the default policy, from a real browser into a spool. Resolves when all are up. */
export const startRecordingPage = async (studio: Studio): Promise<RecordingPage> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-page-'))
  await buildCapturePage(join(folder, 'page'))
  const { camera, voice } = await makeSources(studio, folder)
  const { env } = studio.desktop
  const browser = await startCaptureBrowser({
    folder: join(folder, 'page'),
    env,
    args: [
      '--auto-select-desktop-capture-source=Entire screen',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${camera}`,
      `--use-file-for-fake-audio-capture=${voice}`,
    ],
  })
  const spool = await Spool.open({ dir: join(folder, 'spool'), keyStore: fileKeyStore(folder) })
  const captured: Record<string, number> = {}
  const sink: LaneSink = {
    item: async (item) => {
      await spool.put({ ...item, meta: {} })
      const driver = item.meta.driver ?? 'unknown'
      captured[driver] = (captured[driver] ?? 0) + 1
      return true
    },
    unchanged: (displayId, at) => spool.signs.markSample('screen', displayId, at),
    gap: () => undefined,
    health: () => undefined,
  }
  const web = createPageLinks(browser.pages, systemClock)
  const config = toCaptureConfig(sessionConfig.parse({}), { ...fakeInputs, env }, 0)
  // As on the systems where the page is tried before the programs of this machine.
  const running = [...createLanes({ lanes, sink, config, web, platform: 'win32' }).values()]
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((lane) => lane.stop()))
    await browser.stop()
    await spool.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  try {
    for (const lane of running) lane.start()
    const states = () => running.map((lane) => `${lane.name} ${lane.health().state}`).join(', ')
    await until('all four lanes to be up', () => running.every((lane) => lane.health().state === 'up'), startMs).catch(
      (error: unknown) => {
        throw new Error(`they were: ${states()}`, { cause: error })
      },
    )
  } catch (error) {
    await stop()
    throw error
  }
  return { captured: () => captured, stop }
}
