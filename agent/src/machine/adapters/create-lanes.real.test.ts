import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordingSink } from '../../../test/test-support/recording-sink.ts'
import { until } from '../../../test/test-support/until.ts'
import { canRunWith, makeCameraFile } from '../../../test/test-support/virtual-desktop.ts'
import { type CameraSource, type CaptureConfig, defaultCaptureConfig } from '../../core/capture/types.ts'
import { systemClock } from '../../shared/clock.ts'
import { createPageLinks } from '../page/page-links.ts'
import { type FakeAnswers, fakePage } from '../page/test-support/fake-page.ts'
import { createLanes } from './create-lanes.ts'

const camera = { kind: 'videoinput', deviceId: 'c1', groupId: '', label: 'Front' }
const answers: FakeAnswers = {
  inventory: () => ({
    value: { devices: [camera], permissions: { camera: 'granted', microphone: 'granted' }, recorders: [] },
  }),
  open: () => ({ value: { label: 'Front', deviceId: 'c1' } }),
}

describe.skipIf(!canRunWith('the drivers of a lane', ['ffmpeg']))('the drivers of a lane', () => {
  let folder: string
  let file: CameraSource
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lanes-'))
    file = { kind: 'file', path: await makeCameraFile(join(folder, 'webcam.avi'), { seconds: 1, size: '160x120' }) }
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** Which driver a lane comes to record with. */
  const chosen = async (
    platform: NodeJS.Platform,
    source: CameraSource | undefined,
    page: boolean,
  ): Promise<unknown> => {
    const config: CaptureConfig = { ...defaultCaptureConfig, camera: { ...defaultCaptureConfig.camera, source } }
    const pages = { current: async () => living }
    const living = fakePage(answers, systemClock)
    const web = page ? createPageLinks(pages, systemClock) : undefined
    const lane = createLanes({ lanes: ['camera'], sink: recordingSink(), config, web, platform }).get('camera')!
    lane.start()
    let driver: string | undefined
    await until('a driver', () => {
      driver = lane.activeDriver()
      return driver !== undefined
    })
    living.close()
    await lane.stop()
    return driver
  }

  it('are those of the capture page first on macOS and Windows', async () => {
    expect(await chosen('darwin', undefined, true)).toBe('web-camera')
    expect(await chosen('win32', { kind: 'device', path: 'c1' }, true)).toBe('web-camera')
  })

  it('are those of Node where the page cannot, and where there is no page', async () => {
    expect(await chosen('darwin', file, true)).toBe('ffmpeg-camera')
    expect(await chosen('darwin', file, false)).toBe('ffmpeg-camera')
  })

  it('are those of Node first on Linux, and those of the page where Node cannot', async () => {
    expect(await chosen('linux', file, true)).toBe('ffmpeg-camera')
    expect(await chosen('linux', { kind: 'device', path: 'c1' }, true)).toBe('web-camera')
  })
})
