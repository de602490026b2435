import { describe, expect, it } from 'vitest'
import { manualClock, settle } from '../../../test/test-support/manual-clock.ts'
import { recordingSink } from '../../../test/test-support/recording-sink.ts'
import { createLane } from '../../core/capture/lane.ts'
import { type CaptureConfig, type Driver, defaultCaptureConfig, type LaneName } from '../../core/capture/types.ts'
import { blockValues } from '../stills/fingerprint.ts'
import { createPageLinks } from './page-links.ts'
import { type FakeAnswers, fakePage } from './test-support/fake-page.ts'
import { createWebCameraDriver } from './web-camera.ts'
import { createWebScreenDriver } from './web-screen.ts'
import { createWebScreenClipsDriver } from './web-screen-clips.ts'
import { createWebMicrophoneDriver, createWebSystemAudioDriver } from './web-sound.ts'

const config: CaptureConfig = {
  ...defaultCaptureConfig,
  screen: { ...defaultCaptureConfig.screen, clips: { enabled: true, clipSeconds: 5, framesPerSecond: 2 } },
}
const webp = Buffer.from('RIFF....WEBP of something')

/** All lanes of one page, on a clock that the test turns. */
const lanesOver = (answers: (now: () => number) => FakeAnswers) => {
  const clock = manualClock()
  const page = fakePage(
    answers(() => clock.wallMs()),
    clock,
  )
  const displays = async () => [{ id: 'left', width: 1920, height: 1080 }]
  const links = createPageLinks({ current: async () => page, displays }, clock)
  const sink = recordingSink()
  const lane = (name: LaneName, driver: Driver, extras: Driver[] = []) =>
    createLane({ lane: name, drivers: [driver], extras, sink, config, clock, random: () => 0 })
  const lanes = [
    lane('screen', createWebScreenDriver(links, clock), [createWebScreenClipsDriver(links, clock)]),
    lane('microphone', createWebMicrophoneDriver(links, clock, 'win32')),
    lane('system_audio', createWebSystemAudioDriver(links, clock, 'win32')),
    lane('camera', createWebCameraDriver(links, clock)),
  ]
  /** Tells all lanes to stop, and gives whether they have after so many milliseconds. */
  const stoppedAfter = async (ms: number): Promise<boolean> => {
    let stopped = false
    const all = Promise.all(lanes.map((one) => one.stop())).then(() => {
      stopped = true
    })
    await clock.advance(ms)
    if (!stopped) void all
    return stopped
  }
  return { clock, page, sink, lanes, stoppedAfter }
}

const working = (now: () => number): FakeAnswers => {
  const energy = { squares: 1, peak: 0.1, samples: 100 }
  const handover = () => ({ value: { state: 'same', at: now(), parts: [], energy } })
  return {
    inventory: () => ({
      value: {
        devices: [
          { kind: 'audioinput', deviceId: 'mic', groupId: '', label: 'Mic' },
          { kind: 'videoinput', deviceId: 'cam', groupId: '', label: 'Cam' },
        ],
        permissions: { camera: 'granted', microphone: 'granted' },
        recorders: ['audio/webm;codecs=opus', 'video/webm;codecs=vp8'],
      },
    }),
    open: () => ({ value: { label: 'source', deviceId: 'id', width: 640, height: 480, sampleRate: 48_000 } }),
    look: () => {
      const frame = { width: 640, height: 480, hash: '00000000000000ff', varies: true }
      return { value: { at: now(), frame }, bytes: new Uint8Array(new Float32Array(blockValues).fill(9).buffer) }
    },
    picture: () => ({ value: { contentType: 'image/webp', width: 1, height: 1 }, bytes: webp }),
    cut: () => ({ value: { segment: 0 } }),
    confirm: handover,
    close: handover,
  }
}

describe('the end of the lanes of a capture page', () => {
  it('comes at once while the page answers', async () => {
    const { lanes, clock, sink, stoppedAfter } = lanesOver(working)
    for (const lane of lanes) lane.start()
    await clock.advance(5000)
    expect(lanes.map((lane) => lane.health().state)).toEqual(['up', 'up', 'up', 'up'])
    expect(sink.ofKind('screenshot').length).toBeGreaterThan(0)
    expect(await stoppedAfter(0)).toBe(true)
  })

  it('comes once for all of them, after three seconds, when the page has stopped answering', async () => {
    const { lanes, clock, page, stoppedAfter } = lanesOver(working)
    for (const lane of lanes) lane.start()
    await clock.advance(5000)
    page.answers = {}
    await clock.advance(500)
    expect(await stoppedAfter(3000)).toBe(true)
  })

  it('comes after three seconds also when the page has never answered', async () => {
    const { lanes, clock, stoppedAfter } = lanesOver(() => ({ ping: undefined }) as FakeAnswers)
    for (const lane of lanes) lane.start()
    await clock.advance(500)
    expect(await stoppedAfter(3000)).toBe(true)
  })

  it('takes nothing that is handed over after it', async () => {
    const { lanes, clock, page, sink, stoppedAfter } = lanesOver(working)
    for (const lane of lanes) lane.start()
    await clock.advance(5000)
    const energy = { squares: 1, peak: 0.1, samples: 100 }
    const answers = page.answers
    page.answers = { ping: answers.ping }
    expect(await stoppedAfter(3000)).toBe(true)
    const before = sink.items.length
    // The answers come now, with a segment that was open.
    const part = {
      segment: 0,
      length: 4,
      startedAt: clock.wallMs() - 1000,
      endedAt: clock.wallMs(),
      last: true,
      energy,
    }
    const value = { state: 'same', at: clock.wallMs(), parts: [part], energy }
    for (const { id, command } of page.sent)
      if (command === 'close' || command === 'confirm')
        page.say({ answer: id, value, bytes: Uint8Array.of(1, 2, 3, 4) })
    await settle()
    await clock.advance(20_000)
    expect(sink.items.length).toBe(before)
  })
})
