import 'fake-indexeddb/auto'
import { describe, expect, it, vi } from 'vitest'
import { bytesOf, documentOf, FakeWorld } from '../../test/fake-world.ts'
import { openIndexedQueue } from '../platform/queue.idb.ts'
import { Companion } from './companion.machine.ts'
import type { CompanionState } from './companion.states.ts'
import { StorageFull } from './queue.port.ts'

let made = 0
const newWorld = (recording = false) => {
  const name = `machine-${made++}`
  return new FakeWorld(() => openIndexedQueue(name), recording)
}
const link = 'https://x.example/companion/#K7QF-2M9X'

/** Opens the app of this world, as after a reload. */
const open = (world: FakeWorld, opened?: string) => {
  world.time.forget()
  const companion = new Companion(world.ports)
  companion.start(opened)
  const on = <Name extends CompanionState['name']>(name: Name) =>
    vi.waitFor(() => {
      const state = companion.snapshot()
      expect(state.name).toBe(name)
      return state as Extract<CompanionState, { name: Name }>
    })
  const live = async (mode: string) => {
    await vi.waitFor(() => expect(companion.snapshot()).toMatchObject({ name: 'live', live: { mode } }))
    return on('live')
  }
  return { companion, on, live }
}
type App = ReturnType<typeof open>

const place = async ({ companion, on }: App, answers = [true, true, true, true]) => {
  await on('placement')
  companion.openCamera()
  await vi.waitFor(() => expect(companion.snapshot()).toMatchObject({ placement: { busy: false } }))
  for (const answer of answers) companion.confirmStep(answer)
  companion.takePhoto()
  await vi.waitFor(() =>
    expect(companion.snapshot()).toMatchObject({ placement: { photo: { contentType: 'image/jpeg' } } }),
  )
  companion.sendPhoto()
  await on('live')
}
const toLive = async (world: FakeWorld) => {
  const app = open(world, link)
  await app.on('consent')
  app.companion.answer(true, 'en')
  await place(app)
  return app
}
const recordings = (world: FakeWorld) => world.service.beats.map(({ recording, reason }) => reason ?? recording)

describe('entering the code', () => {
  it('says what is wrong with it, each in its own way, and does not ask the service for what is none', async () => {
    const world = newWorld()
    const { companion, on } = open(world)
    await on('code')
    companion.enter('K7QF')
    expect(await on('code')).toMatchObject({ problem: 'not_a_code' })
    expect(world.service.claims).toEqual([])
    for (const [kind, problem] of [
      ['not_found', 'not_found'],
      ['conflict', 'conflict'],
      ['too_many', 'too_many'],
      ['later', 'unreachable'],
    ] as const) {
      world.service.fail('claim', kind)
      companion.enter('K7QF-2M9X')
      await vi.waitFor(() => expect(companion.snapshot()).toEqual({ name: 'code', busy: false, problem }))
    }
  })

  it('asks again under the same key when an answer may have been lost, also after a reload, and under a new one after a no', async () => {
    const world = newWorld()
    world.service.fail('claim', 'later')
    const first = open(world, link)
    await vi.waitFor(() => expect(first.companion.snapshot()).toMatchObject({ problem: 'unreachable' }))
    world.service.fail('claim', 'not_found')
    const second = open(world)
    await vi.waitFor(() => expect(second.companion.snapshot()).toMatchObject({ problem: 'not_found' }))
    world.service.problems.clear()
    second.companion.enter('K7QF-2M9X')
    await second.on('consent')
    const [a, b, c] = world.service.claims
    expect(a?.key).toBe(b?.key)
    expect(c?.key).not.toBe(a?.key)
  })

  it('asks for the document in the language of the screens, and again for the same one under the same key', async () => {
    const world = newWorld()
    world.language = 'hi'
    world.service.fail('claim', 'later')
    const first = open(world, link)
    await vi.waitFor(() => expect(first.companion.snapshot()).toMatchObject({ problem: 'unreachable' }))
    world.language = 'en'
    world.service.problems.clear()
    await open(world).on('consent')
    const [lost, again] = world.service.claims
    expect(again).toEqual(lost)
    expect(again?.locale).toBe('hi')
  })
})

describe('consent', () => {
  it('shows another document when it has changed meanwhile, and records nothing', async () => {
    const world = newWorld()
    const { companion, on } = open(world, link)
    await on('consent')
    world.service.fail('consent', 'conflict', { consentDocument: documentOf('second') })
    companion.answer(true, 'en')
    await vi.waitFor(() => expect(companion.snapshot()).toMatchObject({ changed: true, busy: false }))
    expect((await on('consent')).pairing.consentDocument.lanes[0]?.text).toBe('second')
    expect(world.service.answers).toEqual([])
  })

  it('ends when the interview ended while it was read', async () => {
    const world = newWorld()
    const { companion, on } = open(world, link)
    await on('consent')
    world.service.fail('consent', 'conflict')
    companion.answer(true, 'en')
    expect(await on('done')).toEqual({ name: 'done', why: 'ended' })
  })

  it('may be declined: nothing is sent, and it may be read again', async () => {
    const world = newWorld()
    const { companion, on } = open(world, link)
    await on('consent')
    companion.answer(false, 'en')
    await on('declined')
    expect(world.service.beats).toEqual([])
    const again = open(world)
    await again.on('declined')
    again.companion.reconsider()
    await again.on('consent')
    again.companion.answer(true, 'en')
    await again.on('placement')
    expect(world.service.answers).toEqual([false, true])
  })
})

describe('placement', () => {
  it('says when there is no room for the photo, and sends it once there is', async () => {
    const world = newWorld()
    const app = open(world, link)
    await app.on('consent')
    app.companion.answer(true, 'en')
    await app.on('placement')
    const { queue } = world
    const put = queue?.put.bind(queue)
    if (!queue || !put) throw new Error('the queue is open')
    queue.put = () => Promise.reject(new StorageFull())
    await expect(place(app)).rejects.toThrow()
    expect(app.companion.snapshot()).toMatchObject({ name: 'placement', placement: { full: true } })
    queue.put = put
    app.companion.sendPhoto()
    await app.on('live')
    await vi.waitFor(() => expect(world.service.placements).toHaveLength(1))
  })

  it('says which camera problem it is, and goes on when it is over', async () => {
    const world = newWorld()
    const app = open(world, link)
    await app.on('consent')
    app.companion.answer(true, 'en')
    await app.on('placement')
    for (const problem of ['permission_denied', 'camera_busy', 'camera_missing'] as const) {
      world.cameraProblem = problem
      app.companion.openCamera()
      await vi.waitFor(() => expect(app.companion.snapshot()).toMatchObject({ placement: { problem, busy: false } }))
    }
    world.cameraProblem = undefined
    await place(app, [true, false, true, true])
    await vi.waitFor(() => expect(world.service.placements).toHaveLength(1))
    expect(world.service.placements[0]?.steps.map(({ confirmed }) => confirmed)).toEqual([true, false, true, true])
  })

  it('keeps the photo through a lost network and a reload, and sends it once', async () => {
    const world = newWorld()
    world.service.fail('placement', 'later')
    world.service.fail('presence', 'later')
    const { companion } = await toLive(world)
    await vi.waitFor(() => expect(companion.snapshot()).toMatchObject({ sending: { reached: false, filesWaiting: 1 } }))
    world.service.problems.clear()
    await open(world).on('live')
    await vi.waitFor(() => expect(world.service.placements).toHaveLength(1))
    await vi.waitFor(() => expect(world.service.beats.length).toBeGreaterThanOrEqual(2))
    const ids = world.service.beats.map(({ clientId }) => clientId)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('the side view', () => {
  it('beats on the interval, shows previews, keeps awake, and says which state it is in', async () => {
    const world = newWorld()
    const { live } = await toLive(world)
    await live('preview')
    await vi.waitFor(() => expect(world.service.previews).toBe(1))
    const before = world.service.beats.length
    world.time.advance(10_000)
    await vi.waitFor(() => expect(world.service.beats.length).toBe(before + 1))
    expect(world.service.beats.at(-1)).toMatchObject({
      battery: 0.5,
      network: 'wifi',
      recording: 'off',
      foreground: true,
    })
    expect(world.awake).toBe(1)
  })

  it.each([
    ['background', (world: FakeWorld, over: boolean) => world.bringForward(over)],
    ['camera_busy', (world: FakeWorld, over: boolean) => world.camera.health(over ? 'ok' : 'muted')],
  ] as const)('says at once that it is interrupted by %s, and that it is back', async (reason, change) => {
    const world = newWorld()
    const { live } = await toLive(world)
    await live('preview')
    change(world, false)
    expect((await live('interrupted')).live.reason).toBe(reason)
    change(world, true)
    expect((await live('preview')).live.backAt).toBe(world.time.nowMs)
    await vi.waitFor(() => expect(recordings(world).slice(-2)).toEqual([reason, 'off']))
  })

  it('says that the camera gives no picture, and that it gives one again', async () => {
    const world = newWorld()
    const { live } = await toLive(world)
    await live('preview')
    const { picture } = world.camera
    await vi.waitFor(() => expect(world.service.previews).toBe(1))
    world.camera.picture = undefined
    world.time.advance(10_000)
    expect((await live('interrupted')).live.reason).toBe('no_picture')
    await vi.waitFor(() => expect(recordings(world).at(-1)).toBe('no_picture'))
    world.camera.picture = picture
    world.time.advance(10_000)
    await live('preview')
    await vi.waitFor(() => expect(recordings(world).at(-1)).toBe('off'))
  })

  it('says that the clock of the phone is wrong, and gives the time of the service', async () => {
    const world = newWorld()
    const { live } = await toLive(world)
    await live('preview')
    world.ahead = 3_600_000
    world.time.advance(10_000)
    await vi.waitFor(() => expect(recordings(world)).toContain('clock_wrong'))
    expect(world.service.beats.at(-1)).toMatchObject({
      at: new Date(world.time.nowMs + 3_600_000).toISOString(),
      recording: 'off',
    })
    expect((await live('preview')).clockAhead).toBe(3_600_000)
  })

  it('opens a camera that went away again by itself, and says when it was forbidden meanwhile', async () => {
    const world = newWorld()
    const { live } = await toLive(world)
    await live('preview')
    world.cameraProblem = 'permission_denied'
    world.camera.health('ended')
    await live('interrupted')
    world.time.advance(5_000)
    await vi.waitFor(() => expect(recordings(world)).toContain('camera_missing'))
    expect((await live('interrupted')).live.reason).toBe('permission_denied')
    await vi.waitFor(() => expect(recordings(world).at(-1)).toBe('permission_denied'))
    world.cameraProblem = undefined
    world.time.advance(5_000)
    await live('preview')
    await vi.waitFor(() => expect(recordings(world).at(-1)).toBe('off'))
  })

  it('films where policy asks for it, a clip every half minute, and one more at the end', async () => {
    const world = newWorld(true)
    const { companion, live, on } = await toLive(world)
    await live('recording')
    world.camera.chunk?.(bytesOf('first '))
    world.time.advance(30_000)
    await vi.waitFor(() => expect(world.service.clips).toHaveLength(1))
    expect(new TextDecoder().decode(world.service.clips[0]?.bytes)).toBe('first last')
    expect(world.service.clips[0]).toMatchObject({ contentType: 'video/webm', durationMs: expect.any(Number) })
    companion.unpair()
    await on('done')
    expect(world.service.clips).toHaveLength(2)
    expect(recordings(world)).toContain('on')
  })

  it('says when there is no room for films, keeps no film with a hole, and begins another when there is', async () => {
    const world = newWorld(true)
    const { live } = await toLive(world)
    await live('recording')
    const { queue } = world
    const addChunk = queue?.addChunk.bind(queue)
    if (!queue || !addChunk) throw new Error('the queue is open')
    await new Promise<void>((resolve) => {
      queue.addChunk = (...chunk) => addChunk(...chunk).then(resolve)
      world.camera.chunk?.(bytesOf('before '))
    })
    queue.addChunk = () => Promise.reject(new StorageFull())
    world.camera.chunk?.(bytesOf('lost '))
    expect((await live('interrupted')).live.reason).toBe('storage_full')
    await vi.waitFor(() => expect(world.service.clips).toHaveLength(1))
    expect(new TextDecoder().decode(world.service.clips[0]?.bytes)).toBe('before ')
    queue.addChunk = addChunk
    world.time.advance(10_000)
    await vi.waitFor(() => expect(world.camera.chunk).toBeDefined())
    world.camera.chunk?.(bytesOf('after'))
    await live('recording')
    expect(recordings(world)).toEqual(expect.arrayContaining(['on', 'storage_full']))
  })

  it('takes nothing more when the queue cannot be read, and goes on after a reload', async () => {
    const world = newWorld()
    const { live, on } = await toLive(world)
    await live('preview')
    const { queue } = world
    if (!queue) throw new Error('the queue is open')
    queue.oldest = () => Promise.reject(new Error('the connection was lost'))
    world.time.advance(10_000)
    expect(await on('unsupported')).toEqual({ name: 'unsupported', why: 'storage' })
    await vi.waitFor(() => expect([world.camera.closed, world.awake]).toEqual([true, 0]))
    await open(world).live('preview')
  })

  it('stops filming when policy takes it back, and while nobody has begun the interview', async () => {
    const world = newWorld(true)
    world.service.state = 'scheduled'
    const { live } = await toLive(world)
    await live('waiting')
    expect(world.camera.chunk).toBeUndefined()
    world.service.state = 'live'
    world.time.advance(10_000)
    await live('recording')
    world.service.config = { ...world.service.config, sideView: { ...world.service.config.sideView, recording: false } }
    world.time.advance(10_000)
    await live('preview')
    expect(world.camera.chunk).toBeUndefined()
  })

  it('puts the camera off while it is not asked for, and goes on when it is again', async () => {
    const world = newWorld()
    const { live } = await toLive(world)
    await live('preview')
    const { camera } = world
    world.service.fail('presence', 'forbidden')
    world.service.consentState = 'declined'
    world.time.advance(10_000)
    await live('paused')
    await vi.waitFor(() => expect(camera.closed).toBe(true))
    world.service.problems.clear()
    world.service.consentState = 'granted'
    world.time.advance(10_000)
    await live('preview')
  })

  it('ends with the interview: the rest is sent, the phone is let go, and nothing stays on it', async () => {
    const world = newWorld(true)
    const { live, on } = await toLive(world)
    await live('recording')
    world.service.state = 'ended'
    world.time.advance(10_000)
    expect(await on('done')).toEqual({ name: 'done', why: 'ended' })
    expect([world.service.clips.length, world.service.unpaired, world.awake]).toEqual([1, 1, 0])
    await open(world).on('code')
  })

  it('takes the link that opened the app when the earlier pairing turns out to be over', async () => {
    const world = newWorld()
    const { live } = await toLive(world)
    await live('preview')
    world.service.fail('presence', 'unauthorized')
    const again = open(world, 'https://x.example/companion/#AAAA-BBBB')
    await again.on('consent')
    expect(world.service.claims.map(({ code }) => code)).toEqual(['K7QF2M9X', 'AAAABBBB'])
  })

  it('ends when another phone took its place', async () => {
    const world = newWorld()
    const { live, on } = await toLive(world)
    await live('preview')
    world.service.fail('presence', 'unauthorized')
    world.time.advance(10_000)
    expect(await on('done')).toEqual({ name: 'done', why: 'gone' })
    expect([world.service.unpaired, world.camera.closed]).toEqual([0, true])
  })
})

describe('two tabs', () => {
  it('are one phone: the one opened last has the camera, until the other takes it back', async () => {
    const world = newWorld()
    const first = await toLive(world)
    await first.live('preview')
    const { camera } = world
    const second = open(world)
    await second.live('preview')
    expect([first.companion.snapshot().name, camera.closed]).toEqual(['elsewhere', true])
    first.companion.takeOver()
    await first.live('preview')
    expect(second.companion.snapshot().name).toBe('elsewhere')
    expect(world.awake).toBe(1)
  })
})

describe('screens that fail', () => {
  it('leave no camera on behind them, and it goes on when they are drawn again', async () => {
    const world = newWorld()
    const { companion, live } = await toLive(world)
    await live('preview')
    const { camera } = world
    companion.suspend()
    await vi.waitFor(() => expect([camera.closed, world.awake]).toEqual([true, 0]))
    companion.takeOver()
    await live('preview')
    expect(world.awake).toBe(1)
  })
})

describe('unpairing', () => {
  it('waits for the network with what is left, through a reload too, unless the candidate leaves it', async () => {
    const world = newWorld()
    const first = await toLive(world)
    await first.live('preview')
    world.service.fail('presence', 'later')
    world.service.fail('unpair', 'later')
    first.companion.unpair()
    await first.on('leaving')
    await vi.waitFor(() => expect(world.camera.closed).toBe(true))
    const second = open(world)
    await second.on('leaving')
    world.service.problems.clear()
    world.time.advance(60_000)
    await second.on('done')
    expect(world.service.unpaired).toBe(1)
  })

  it('ends without the rest when the candidate does not want to wait', async () => {
    const world = newWorld()
    const { companion, live, on } = await toLive(world)
    await live('preview')
    world.service.fail('presence', 'later')
    world.time.advance(10_000)
    companion.unpair()
    await on('leaving')
    companion.abandon()
    await on('done')
    await open(world).on('code')
  })
})
