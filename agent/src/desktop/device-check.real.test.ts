import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LaneName, sessionConfig } from '@integrity/protocol'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../test/test-support/until.ts'
import {
  canRunWith,
  desktopPrograms,
  makeCameraFile,
  soundPrograms,
  startVirtualDesktop,
  type VirtualDesktop,
} from '../../test/test-support/virtual-desktop.ts'
import { createLanes } from '../machine/adapters/create-lanes.ts'
import { stopChild } from '../shared/child-process.ts'
import { systemClock } from '../shared/clock.ts'
import type { Preview } from '../shared/ipc/window-state.ts'
import { type CheckedLane, DeviceCheck } from './device-check.ts'
import { type DeviceChoice, linuxDevices } from './device-choices.ts'

const config = sessionConfig.parse({})
const lanes: LaneName[] = ['screen', 'microphone', 'system_audio', 'camera', 'signals']

describe.skipIf(!canRunWith('device check', [...desktopPrograms, ...soundPrograms]))('device check', () => {
  let desktop: VirtualDesktop
  let dir: string
  let cameraFile: string
  let check: DeviceCheck | undefined
  let permission: 'granted' | 'denied' = 'granted'
  const previews: Preview[] = []

  beforeAll(async () => {
    desktop = await startVirtualDesktop()
    dir = await mkdtemp(join(tmpdir(), 'check-'))
    cameraFile = await makeCameraFile(join(dir, 'camera.mjpeg'))
  })
  afterEach(async () => {
    await check?.stop()
    previews.length = 0
    permission = 'granted'
  })
  afterAll(async () => {
    await desktop?.stop()
    await rm(dir, { recursive: true, force: true })
  })

  const start = async (of: readonly LaneName[] = lanes, camera: string | undefined = cameraFile) => {
    check = new DeviceCheck({
      clock: systemClock,
      create: createLanes,
      choices: linuxDevices(desktop.env),
      sources: { env: desktop.env, micSource: 'mic', systemSource: 'sysloop', cameraFile: camera },
      permission: () => permission,
      hasSettings: () => true,
      restartAfterPermission: (lane) => lane === 'screen',
      onChange: () => undefined,
      onPreview: (preview) => previews.push(preview),
    })
    await check.start(of, config)
    return check
  }
  const laneOf = (of: DeviceCheck, lane: LaneName): CheckedLane => {
    const found = of.view().lanes.find((checked) => checked.lane === lane)
    if (!found) throw new Error(`${lane} is not tried`)
    return found
  }

  it('finds every lane working by what it delivers, and shows small pictures and levels of it', async () => {
    const tones = [await desktop.playTone('micfeed', 440, 25), await desktop.playTone('speaker', 1250, 25)]
    const running = await start()
    expect(running.view().lanes.map(({ lane }) => lane)).toEqual(['screen', 'microphone', 'system_audio', 'camera'])
    for (const lane of ['screen', 'microphone', 'system_audio', 'camera'] as const)
      await until(`${lane} to work`, () => laneOf(running, lane).state === 'working')
    await until('pictures of both', () =>
      ['screen', 'camera'].every((lane) => previews.some((p) => p.lane === lane && p.picture)),
    )
    const picture = previews.find(({ lane, picture }) => lane === 'camera' && picture)?.picture ?? ''
    const { width, format } = await sharp(Buffer.from(picture.split(',')[1] ?? '', 'base64')).metadata()
    expect({ width, format }).toEqual({ width: 320, format: 'jpeg' })
    await until('a level', () => previews.some(({ lane, levelDb }) => lane === 'microphone' && (levelDb ?? -120) > -20))
    expect(laneOf(running, 'screen').displays).toEqual([expect.objectContaining({ working: true })])
    for (const tone of tones) await stopChild(tone)
  })

  it('says that a microphone is silent, when it works and nothing at all is heard', async () => {
    const running = await start(['microphone'])
    await until('silence to be noticed', () => laneOf(running, 'microphone').state === 'silent')
    const tone = await desktop.playTone('micfeed', 440, 10)
    await until('sound to be noticed', () => laneOf(running, 'microphone').state === 'working')
    await stopChild(tone)
  })

  it('hears on the system-audio lane what the speakers play, and says when it does not', async () => {
    const running = await start(['system_audio'])
    await until('the lane to run', () => laneOf(running, 'system_audio').state !== 'trying')
    running.listenForSpeaker()
    expect(running.view().speakerTest).toBe('playing')
    await until('nothing to be heard', () => running.view().speakerTest === 'not_heard')
    running.listenForSpeaker()
    const tone = await desktop.playTone('speaker', 1250, 10)
    await until('the sound to be heard', () => running.view().speakerTest === 'heard')
    await stopChild(tone)
  })

  it('tells a camera that is not there from one that is not permitted, and tries again', async () => {
    const running = await start(['camera'], join(dir, 'gone.mjpeg'))
    await until('it to be missed', () => laneOf(running, 'camera').state === 'missing')
    expect(laneOf(running, 'camera')).toMatchObject({ settings: false, needsRestart: false })
    permission = 'denied'
    await running.again('camera')
    await until('the refusal to be told', () => laneOf(running, 'camera').state === 'denied')
    expect(laneOf(running, 'camera')).toMatchObject({ settings: true, needsRestart: false })
  })

  it('takes the microphone that the candidate chooses, for the recording too', async () => {
    const running = await start(['microphone'])
    const { devices } = laneOf(running, 'microphone')
    expect(devices.map(({ id }) => id)).toContain('mic')
    expect(devices.every(({ id }) => !id.endsWith('.monitor'))).toBe(true)
    expect(await running.choose('microphone', 'nonsense')).toBe(false)
    expect(await running.choose('microphone', 'mic')).toBe(true)
    expect(running.sources.micSource).toBe('mic')
  })

  it('lets every device go when it stops', async () => {
    const running = await start(['microphone', 'camera'])
    await until('both to work', () => running.view().lanes.every(({ state }) => state !== 'trying'))
    await running.stop()
    expect(running.view()).toEqual({ lanes: [], speakerTest: 'idle' })
    previews.length = 0
    const tone = await desktop.playTone('micfeed', 440, 2)
    await once(tone, 'exit')
    expect(previews).toEqual([])
  })
})

describe('the devices to choose from', () => {
  it('are listed anew when one comes or goes, as long as devices are tried', async () => {
    const microphone = (id: string): DeviceChoice => ({ lane: 'microphone', id, label: id })
    let listed = [microphone('desk')]
    let changes = 0
    const watchers = new Set<() => void>()
    const check = new DeviceCheck({
      clock: systemClock,
      create: () => new Map(),
      choices: {
        list: async () => listed,
        choose: (sources, _lane, id) => ({ ...sources, micSource: id }),
        watch: (onChange) => {
          watchers.add(onChange)
          return () => watchers.delete(onChange)
        },
      },
      sources: {},
      permission: () => 'granted',
      hasSettings: () => false,
      restartAfterPermission: () => false,
      onChange: () => {
        changes += 1
      },
      onPreview: () => undefined,
    })
    const ids = () => check.view().lanes.flatMap(({ devices }) => devices.map(({ id }) => id))
    await check.start(['microphone'], config)
    expect(ids()).toEqual(['desk'])
    listed = [microphone('desk'), microphone('headset')]
    const before = changes
    for (const told of watchers) told()
    await until('the new one', () => ids().includes('headset'))
    expect(changes).toBe(before + 1)
    expect(await check.choose('microphone', 'headset')).toBe(true)
    expect(check.sources.micSource).toBe('headset')
    expect(watchers.size).toBe(1)
    await check.stop()
    expect(watchers.size).toBe(0)
  })
})
