import { describe, expect, it } from 'vitest'
import { link, newWorld, open, place, toLive } from '../../test/app-under-test.ts'
import { documentOf } from '../../test/fake-world.ts'
import { StorageFull } from './queue.port.ts'

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
      await expect.poll(() => companion.snapshot()).toEqual({ name: 'code', busy: false, problem })
    }
  })

  it('asks again under the same key when an answer may have been lost, also after a reload, and under a new one after a no', async () => {
    const world = newWorld()
    world.service.fail('claim', 'later')
    const first = open(world, link)
    await expect.poll(() => first.companion.snapshot()).toMatchObject({ problem: 'unreachable' })
    world.service.fail('claim', 'not_found')
    const second = open(world)
    await expect.poll(() => second.companion.snapshot()).toMatchObject({ problem: 'not_found' })
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
    await expect.poll(() => first.companion.snapshot()).toMatchObject({ problem: 'unreachable' })
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
    const { config } = world.service
    world.service.config = { ...config, sideView: { ...config.sideView, recording: !config.sideView.recording } }
    world.service.fail('consent', 'conflict', { extra: { consentDocument: documentOf('second') } })
    companion.answer(true, 'en')
    await expect.poll(() => companion.snapshot()).toMatchObject({ changed: true, busy: false })
    const { pairing } = await on('consent')
    expect(pairing.consentDocument.lanes[0]?.text).toBe('second')
    // What is said of clips is said by the policy that the new words were made of.
    expect(pairing.config).toEqual(world.service.config)
    expect(world.service.answers).toEqual([])
  })

  it('asks for the document in the language that the app speaks now, and answers to those words', async () => {
    const world = newWorld()
    const { companion, on } = open(world, link)
    await on('consent')
    companion.relocalise('en')
    expect((await on('consent')).pairing.consentDocument.lanes[0]?.text).toBe('first')
    companion.relocalise('hi')
    const read = () => companion.snapshot() as { pairing: { consentDocument: { locale: string } } }
    await expect.poll(() => read().pairing.consentDocument.locale).toBe('hi')
    companion.answer(true, 'hi')
    await on('placement')
    companion.relocalise('en')
    expect(companion.snapshot().name).toBe('placement')
  })

  it('ends when the interview ended while it was read', async () => {
    const world = newWorld()
    const { companion, on } = open(world, link)
    await on('consent')
    world.service.fail('consent', 'conflict')
    companion.answer(true, 'en')
    expect(await on('done')).toMatchObject({ name: 'done', why: 'ended' })
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
    await expect.poll(() => world.service.placements).toHaveLength(1)
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
      await expect.poll(() => app.companion.snapshot()).toMatchObject({ placement: { problem, busy: false } })
    }
    world.cameraProblem = undefined
    // Ticked, and taken back.
    app.companion.tick('angle')
    app.companion.tick('angle')
    await place(app, [true, false, true, true])
    await expect.poll(() => world.service.placements).toHaveLength(1)
    expect(world.service.placements[0]?.steps.map(({ confirmed }) => confirmed)).toEqual([true, false, true, true])
  })

  it('keeps the photo through a lost network and a reload, and sends it once', async () => {
    const world = newWorld()
    world.service.fail('placement', 'later')
    world.service.fail('presence', 'later')
    const { companion } = await toLive(world)
    await expect.poll(() => companion.snapshot()).toMatchObject({ sending: { reached: false, filesWaiting: 1 } })
    world.service.problems.clear()
    await open(world).on('live')
    await expect.poll(() => world.service.placements).toHaveLength(1)
    await expect.poll(() => world.service.beats.length).toBeGreaterThanOrEqual(2)
    const ids = world.service.beats.map(({ clientId }) => clientId)
    expect(new Set(ids).size).toBe(ids.length)
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
    await expect.poll(() => [camera.closed, world.awake]).toEqual([true, 0])
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
    await expect.poll(() => world.camera.closed).toBe(true)
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
