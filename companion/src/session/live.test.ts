import 'fake-indexeddb/auto'
import { describe, expect, it, vi } from 'vitest'
import { FakeCamera, FakeWorld } from '../../test/fake-world.ts'
import { openIndexedQueue } from '../platform/queue.idb.ts'
import { Live } from './live.ts'
import { claimCode } from './pairing.ts'
import { Sender } from './sender.ts'
import type { Pairing } from './session.types.ts'

let made = 0
const begin = async ({ recording = false, state = 'live' as Pairing['session']['state'] } = {}) => {
  const queue = await openIndexedQueue(`live-${made++}`)
  const world = new FakeWorld(async () => queue, recording)
  world.service.state = state
  const pairing = await claimCode(world.ports, 'K7QF2M9X', undefined, async () => {})
  if (typeof pairing === 'string') throw new Error(pairing)
  const events = { onChange: () => {}, onPresence: () => {}, onStop: () => {}, onBroken: () => {} }
  const sender = new Sender(world.ports, queue, { token: 'cmt_1', sessionId: 'ses_1' }, events)
  const live = new Live(world.ports, queue, sender, pairing, () => {})
  const mode = (wanted: string) => expect.poll(() => live.view.mode).toBe(wanted)
  return { world, live, pairing, mode }
}

describe('the side view', () => {
  it('takes the camera of the placement over, and opens one itself where there is none', async () => {
    const handed = await begin()
    const camera = new FakeCamera()
    handed.live.start(camera)
    await handed.mode('preview')
    expect(handed.live.view.camera).toBe(camera)
    const alone = await begin()
    alone.live.start(undefined)
    await alone.mode('preview')
    expect(alone.live.view.camera).toBe(alone.world.camera)
  })

  it('waits until the interview begins, and then films where that is asked for', async () => {
    const { live, pairing, mode } = await begin({ recording: true, state: 'scheduled' })
    live.start(new FakeCamera())
    await mode('waiting')
    live.update({ ...pairing, session: { ...pairing.session, state: 'live' } })
    await mode('recording')
    live.update({
      ...pairing,
      session: { ...pairing.session, state: 'live' },
      config: { ...pairing.config, sideView: { ...pairing.config.sideView, recording: false } },
    })
    await mode('preview')
  })

  it('says that it cannot film where this phone cannot, and shows the preview all the same', async () => {
    const { live, mode } = await begin({ recording: true })
    const camera = new FakeCamera()
    vi.spyOn(camera, 'film').mockReturnValue(undefined as never)
    live.start(camera)
    await mode('preview')
    expect(live.view.cannotFilm).toBe(true)
  })

  it('keeps the screen awake from its start to its stop, and lets the camera go then', async () => {
    const { world, live, mode } = await begin({ recording: true })
    const camera = new FakeCamera()
    live.start(camera)
    await mode('recording')
    expect(world.awake).toBe(1)
    await live.stop()
    await live.stop()
    expect([world.awake, camera.closed, live.view.camera]).toEqual([0, true, undefined])
    await expect.poll(() => world.service.clips).toHaveLength(1)
  })

  it('takes nothing more after its stop, whatever comes late', async () => {
    const { world, live, mode } = await begin()
    live.start(new FakeCamera())
    await mode('preview')
    await live.stop()
    const { previews } = world.service
    const { view } = live
    world.bringForward(false)
    world.time.advance(60_000)
    live.pause(true)
    await new Promise<void>((resolve) => setImmediate(resolve))
    expect([world.service.previews, live.view]).toEqual([previews, view])
  })

  it('is interrupted by what it cannot see, says why, and since when it is back', async () => {
    const { world, live, mode } = await begin()
    live.start(new FakeCamera())
    await mode('preview')
    world.bringForward(false)
    await mode('interrupted')
    expect(live.view).toMatchObject({ reason: 'background', backAt: undefined })
    world.time.advance(3_000)
    world.bringForward(true)
    await mode('preview')
    expect(live.view).toMatchObject({ reason: undefined, backAt: world.time.nowMs })
  })

  it('puts the camera off while it is paused, and opens it again', async () => {
    const { world, live, mode } = await begin()
    const camera = new FakeCamera()
    live.start(camera)
    await mode('preview')
    live.pause(true)
    live.pause(true)
    await mode('paused')
    await expect.poll(() => camera.closed).toBe(true)
    live.pause(false)
    await mode('preview')
    expect(live.view.camera).toBe(world.camera)
    expect(world.camera.closed).toBe(false)
  })
})
