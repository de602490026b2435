import 'fake-indexeddb/auto'
import { describe, expect, it, vi } from 'vitest'
import { bytesOf, FakeCamera, FakeWorld } from '../../test/fake-world.ts'
import { openIndexedQueue } from '../platform/queue.idb.ts'
import { Clips } from './clips.ts'
import { type QueuePort, StorageFull } from './queue.port.ts'

let made = 0
const begin = async () => {
  const queue = await openIndexedQueue(`clips-${made++}`)
  const world = new FakeWorld(async () => queue)
  const told: string[] = []
  const clips = new Clips(world.ports, queue, 'ses_1', {
    onClip: () => told.push('clip'),
    onStored: () => told.push('stored'),
    onBroken: (error) => told.push(`broken: ${String(error)}`),
  })
  const camera = new FakeCamera()
  return { world, queue, clips, camera, told }
}
const texts = async (queue: QueuePort) => {
  const items = await queue.oldest('files', 10)
  return items.map((item) => (item.kind === 'clip' ? new TextDecoder().decode(item.bytes) : item.kind))
}

describe('films in clips', () => {
  it('are one file of all their chunks, in their order, with the length that was filmed', async () => {
    const { world, queue, clips, camera, told } = await begin()
    expect(clips.start(camera)).toBe(true)
    world.time.nowMs += 1_000
    camera.chunk?.(bytesOf('one,'))
    world.time.nowMs += 1_000
    camera.chunk?.(bytesOf('two,'))
    await clips.stop()
    expect(await texts(queue)).toEqual(['one,two,last'])
    const [clip] = await queue.oldest('files', 1)
    expect(clip).toMatchObject({ kind: 'clip', contentType: 'video/webm', sessionId: 'ses_1', durationMs: 2_000 })
    expect(told.at(-1)).toBe('clip')
  })

  it('go on in another one every half minute, each under an id of its own', async () => {
    const { world, queue, clips, camera } = await begin()
    clips.start(camera)
    for (let half = 0; half < 2; half += 1) {
      camera.chunk?.(bytesOf(`${half},`))
      world.time.advance(30_000)
      await expect.poll(() => texts(queue)).toHaveLength(half + 1)
    }
    await clips.stop()
    const items = await queue.oldest('files', 10)
    expect(new Set(items.map(({ clientId }) => clientId)).size).toBe(3)
    expect((await texts(queue)).slice(0, 2)).toEqual(['0,last', '1,last'])
  })

  it('have a small picture of their beginning, and are whole without one', async () => {
    const { queue, clips, camera } = await begin()
    camera.smallPicture = new Uint8Array([1, 2, 3]).buffer
    const add = vi.spyOn(queue, 'addSmall')
    clips.start(camera)
    camera.chunk?.(bytesOf('one,'))
    await expect.poll(() => add).toHaveBeenCalled()
    await clips.stop()
    add.mockRejectedValue(new StorageFull('no room'))
    clips.start(camera)
    camera.chunk?.(bytesOf('two,'))
    await expect.poll(() => add).toHaveBeenCalledTimes(2)
    await clips.stop()
    const made = await queue.oldest('files', 10)
    expect(made.map((item) => item.kind === 'clip' && item.small)).toEqual(['AQID', undefined])
    expect(await texts(queue)).toEqual(['one,last', 'two,last'])
  })

  it('are not begun twice, and are none on a phone that cannot film', async () => {
    const { clips, camera } = await begin()
    const film = vi.spyOn(camera, 'film')
    expect([clips.start(camera), clips.start(camera)]).toEqual([true, true])
    expect(film).toHaveBeenCalledTimes(1)
    await clips.stop()
    film.mockReturnValue(undefined as never)
    expect([clips.start(camera), clips.filming]).toEqual([false, false])
  })

  it('end for good when they are stopped: the timer begins no other', async () => {
    const { world, clips, camera } = await begin()
    clips.start(camera)
    await clips.stop()
    world.time.advance(120_000)
    expect([clips.filming, camera.chunk]).toEqual([false, undefined])
  })

  it('stopped before anything came, wait for what is being written and leave nothing', async () => {
    const { queue, clips } = await begin()
    await clips.stop()
    expect(await texts(queue)).toEqual([])
  })

  it('keep none with a hole: after a chunk that found no room, the film ends with what there is of it', async () => {
    const { queue, clips, camera, told } = await begin()
    clips.start(camera)
    camera.chunk?.(bytesOf('kept,'))
    await expect.poll(() => told).toContain('stored')
    const full = vi.spyOn(queue, 'addChunk').mockRejectedValue(new StorageFull('no room'))
    camera.chunk?.(bytesOf('lost,'))
    await expect.poll(() => clips.filming).toBe(false)
    await clips.stop()
    full.mockRestore()
    expect(told.filter((one) => one.startsWith('broken'))).toHaveLength(1)
    expect(await texts(queue)).toEqual(['kept,'])
    expect(clips.start(camera)).toBe(true)
    camera.chunk?.(bytesOf('anew,'))
    await clips.stop()
    expect(await texts(queue)).toEqual(['kept,', 'anew,last'])
  })
})
