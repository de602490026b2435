import { sessionConfig } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import type { Lane } from '../../core/capture/lane.ts'
import type { LaneSink, PictureLook } from '../../core/capture/types.ts'
import { ManualClock } from '../../shared/test-support/manual-clock.ts'
import { toCaptureConfig } from './capture-config.ts'
import type { createLanes } from './create-lanes.ts'
import { MachineCapture } from './machine-capture.ts'

const sink: LaneSink = {
  item: async () => true,
  unchanged: () => undefined,
  gap: () => undefined,
  health: () => undefined,
}

/** Lanes that only say what was asked of them. */
const buildCapture = () => {
  const calls: string[] = []
  const create: typeof createLanes = ({ lanes }) =>
    new Map(
      lanes.map((name): [typeof name, Lane] => {
        const call = (what: string) => async (): Promise<void> => {
          calls.push(`${name} ${what}`)
        }
        const lane: Lane = {
          name,
          start: () => calls.push(`${name} start`),
          pause: call('pause'),
          resume: () => calls.push(`${name} resume`),
          reconfigure: async (config) => {
            calls.push(`${name} quality ${config.screen.quality}`)
          },
          stop: call('stop'),
          trigger: () => undefined,
          health: () => ({ lane: name, state: 'up', since: 0 }),
          activeDriver: () => undefined,
          takeCoverage: () => [{ lane: name, fromAt: 0, toAt: 1000, expectedSeconds: 1, observedSeconds: 1, gaps: [] }],
        }
        return [name, lane]
      }),
    )
  const capture = new MachineCapture({ sources: {}, clock: new ManualClock(), onTrouble: () => undefined, create })
  return { calls, capture }
}

const policy = sessionConfig.parse({})

describe('capture config', () => {
  it('takes intervals, quality and sources from the policy and the command line', () => {
    const config = sessionConfig.parse({
      capture: { screenshotIntervalSeconds: 5, quality: 50 },
      audio: { chunkSeconds: 20 },
      camera: { stillIntervalSeconds: 30, clips: true, clipSeconds: 4 },
    })
    const sources = { cameraFile: 'cam.mjpeg', micSource: 'mic', systemSource: 'sysloop' }
    expect(toCaptureConfig(config, sources, 0)).toMatchObject({
      screen: { stillIntervalMs: 5000, quality: 50, clips: { enabled: false } },
      microphone: { chunkSeconds: 20, source: 'mic' },
      systemAudio: { chunkSeconds: 20, source: 'sysloop' },
      camera: {
        stills: true,
        stillIntervalMs: 30_000,
        clips: true,
        clipSeconds: 4,
        source: { kind: 'file', path: 'cam.mjpeg' },
      },
    })
  })

  it('lowers the quality of stills with each level, never below 10', () => {
    const qualities = ([0, 1, 2, 3] as const).map((level) => toCaptureConfig(policy, {}, level).screen.quality)
    expect(qualities).toEqual([75, 60, 45, 30])
    const low = sessionConfig.parse({ capture: { quality: 12 } })
    expect(toCaptureConfig(low, {}, 3).screen.quality).toBe(10)
  })
})

describe('machine capture', () => {
  it('starts what is new, stops what is gone and leaves the others alone', async () => {
    const { calls, capture } = buildCapture()
    await capture.apply(['screen', 'microphone'], policy, sink)
    await capture.apply(['screen', 'camera'], policy, sink)
    expect(calls).toEqual(['screen start', 'microphone start', 'microphone stop', 'camera start'])
    expect(capture.health().map(({ lane }) => lane)).toEqual(['screen', 'camera'])
  })

  it('restarts only the lane whose part of the policy changed', async () => {
    const { calls, capture } = buildCapture()
    await capture.apply(['screen', 'microphone'], policy, sink)
    calls.length = 0
    await capture.apply(['screen', 'microphone'], sessionConfig.parse({ capture: { quality: 50 } }), sink)
    expect(calls).toEqual(['screen quality 50'])
  })

  it('makes the screen lane anew when clips are turned on', async () => {
    const { calls, capture } = buildCapture()
    await capture.apply(['screen'], policy, sink)
    await capture.apply(['screen'], sessionConfig.parse({ capture: { recording: true } }), sink)
    expect(calls).toEqual(['screen start', 'screen stop', 'screen start'])
  })

  it('keeps a lowered quality over a change of the policy', async () => {
    const { calls, capture } = buildCapture()
    await capture.apply(['screen'], policy, sink)
    await capture.setQuality(2)
    await capture.apply(['screen'], sessionConfig.parse({ capture: { quality: 50 } }), sink)
    expect(calls).toEqual(['screen start', 'screen quality 45', 'screen quality 30'])
  })

  it('hands the pictures of the camera that are looked at to whoever asked, with every policy', async () => {
    const marks: string[] = []
    const create: typeof createLanes = ({ config }) => {
      config.onCameraLook?.({ mono: 0, mark: `look ${marks.length}`, varies: true })
      return new Map()
    }
    const onCameraLook = ({ mark }: PictureLook) => void marks.push(mark)
    const clock = new ManualClock()
    const capture = new MachineCapture({ sources: {}, clock, onTrouble: () => undefined, create, onCameraLook })
    await capture.apply(['camera'], policy, sink)
    await capture.setQuality(2)
    await capture.apply(['camera'], policy, sink)
    expect(marks).toEqual(['look 0', 'look 1'])
  })

  it('still hands out the coverage of lanes that have stopped, once', async () => {
    const { capture } = buildCapture()
    await capture.apply(['screen'], policy, sink)
    await capture.stop()
    expect(capture.takeCoverage()).toHaveLength(1)
    expect(capture.takeCoverage()).toHaveLength(0)
  })
})
