import { describe, expect, it } from 'vitest'
import { newWorld, open, recordings, toLive } from '../../test/app-under-test.ts'
import { bytesOf, type FakeWorld } from '../../test/fake-world.ts'
import { StorageFull } from './queue.port.ts'

describe('the side view', () => {
  it('beats on the interval, shows previews, keeps awake, and says which state it is in', async () => {
    const world = newWorld()
    const { live } = await toLive(world)
    await live('preview')
    await expect.poll(() => world.service.previews).toBe(1)
    // The first is on its way when the view is already there.
    await expect.poll(() => world.service.beats.length).toBe(1)
    world.time.advance(10_000)
    await expect.poll(() => world.service.beats.length).toBe(2)
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
    await expect.poll(() => recordings(world).slice(-2)).toEqual([reason, 'off'])
  })

  it('says that the camera gives no picture, and that it gives one again', async () => {
    const world = newWorld()
    const { live } = await toLive(world)
    await live('preview')
    const { picture } = world.camera
    await expect.poll(() => world.service.previews).toBe(1)
    world.camera.picture = undefined
    world.time.advance(10_000)
    expect((await live('interrupted')).live.reason).toBe('no_picture')
    await expect.poll(() => recordings(world).at(-1)).toBe('no_picture')
    world.camera.picture = picture
    world.time.advance(10_000)
    await live('preview')
    await expect.poll(() => recordings(world).at(-1)).toBe('off')
  })

  it('says that the clock of the phone is wrong, and gives the time of the service', async () => {
    const world = newWorld()
    const { live } = await toLive(world)
    await live('preview')
    world.ahead = 3_600_000
    world.time.advance(10_000)
    await expect.poll(() => recordings(world)).toContain('clock_wrong')
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
    await expect.poll(() => recordings(world)).toContain('camera_missing')
    expect((await live('interrupted')).live.reason).toBe('permission_denied')
    await expect.poll(() => recordings(world).at(-1)).toBe('permission_denied')
    world.cameraProblem = undefined
    world.time.advance(5_000)
    await live('preview')
    await expect.poll(() => recordings(world).at(-1)).toBe('off')
  })

  it('films where policy asks for it, a clip every half minute, and one more at the end', async () => {
    const world = newWorld(true)
    const { companion, live, on } = await toLive(world)
    await live('recording')
    world.camera.chunk?.(bytesOf('first '))
    world.time.advance(30_000)
    await expect.poll(() => world.service.clips).toHaveLength(1)
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
    await expect.poll(() => world.service.clips).toHaveLength(1)
    expect(new TextDecoder().decode(world.service.clips[0]?.bytes)).toBe('before ')
    queue.addChunk = addChunk
    world.time.advance(10_000)
    await expect.poll(() => world.camera.chunk).toBeDefined()
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
    await expect.poll(() => [world.camera.closed, world.awake]).toEqual([true, 0])
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
    await expect.poll(() => camera.closed).toBe(true)
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
    expect(await on('done')).toMatchObject({ name: 'done', why: 'ended' })
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
    expect(await on('done')).toMatchObject({ name: 'done', why: 'gone' })
    expect([world.service.unpaired, world.camera.closed]).toEqual([0, true])
  })
})
