import 'fake-indexeddb/auto'
import { failed, unreached } from '@integrity/client/test-support/failed'
import { describe, expect, it, vi } from 'vitest'
import { bytesOf, FakeWorld } from '../../test/fake-world.ts'
import { openIndexedQueue } from '../platform/queue.idb.ts'
import type { QueuedBeat, QueuedClip } from './queue.port.ts'
import { Sender } from './sender.ts'

const beat = (n: number): QueuedBeat => ({
  kind: 'beat',
  clientId: `beat-${n}`,
  sessionId: 'ses_1',
  at: n,
  beat: { recording: 'on' },
})

it('beats that the service names as at fault are left out and counted, and the others arrive', async () => {
  const queue = await openIndexedQueue('sender')
  const { ports, service } = new FakeWorld(async () => queue)
  const presence = service.presence.bind(service)
  service.presence = async (who, beats) => {
    service.problems.delete('presence')
    const bad = beats.flatMap(({ clientId }, index) => (['beat-1', 'beat-3'].includes(clientId) ? [index] : []))
    const paths = bad.flatMap((index) => [`beats.${index}.at`, `body.beats.${index}.battery`])
    const details = [...paths, 'other'].map((path) => ({ path, message: 'no' }))
    if (bad.length > 0) service.fail('presence', 'refused', { details })
    return presence(who, beats)
  }
  const events = { onChange: () => {}, onPresence: () => {}, onStop: () => {}, onBroken: () => {} }
  const sender = new Sender(ports, queue, { token: 'cmt_1', sessionId: 'ses_1' }, events)
  for (const n of [0, 1, 2, 3, 4]) await queue.put(beat(n))
  await sender.drained()
  expect(service.beats.map(({ clientId }) => clientId)).toEqual(['beat-0', 'beat-2', 'beat-4'])
  expect(sender.view.refused).toBe(2)
})

const clip = (n: number): QueuedClip => ({
  kind: 'clip',
  clientId: `clip-${n}`,
  sessionId: 'ses_1',
  at: n,
  contentType: 'video/webm',
  durationMs: 1_000,
  bytes: bytesOf(`clip ${n}`),
})

let made = 0
const begin = async () => {
  const queue = await openIndexedQueue(`sender-${made++}`)
  const world = new FakeWorld(async () => queue)
  const told: string[] = []
  const sender = new Sender(
    world.ports,
    queue,
    { token: 'cmt_1', sessionId: 'ses_1' },
    {
      onChange: () => {},
      onPresence: ({ session }) => told.push(`presence ${session.state}`),
      onStop: (kind) => told.push(kind),
      onBroken: (error) => told.push(`broken: ${String(error)}`),
    },
  )
  return { queue, world, service: world.service, sender, told }
}

describe('what waits on the phone', () => {
  it('goes out in two lanes: beats do not wait behind a film that does not get through', async () => {
    const { sender, service, queue } = await begin()
    service.fail('clip', 'later')
    await sender.put(clip(1))
    await sender.put(beat(1))
    await expect.poll(() => service.beats).toHaveLength(1)
    expect(service.clips).toEqual([])
    expect((await queue.counts()).files).toBe(1)
    sender.stop()
  })

  it('says beats in the time of the contract and in one request, and tells what the service answered', async () => {
    const { sender, service, queue, told } = await begin()
    for (const n of [1, 2, 3]) await queue.put(beat(n))
    const asked = vi.spyOn(service, 'presence')
    await sender.drained()
    expect(asked).toHaveBeenCalledTimes(1)
    expect(service.beats.map(({ at }) => at)).toEqual([1, 2, 3].map((n) => new Date(n).toISOString()))
    expect(told).toEqual(['presence live'])
  })

  it('is counted as it comes and goes, with when the service was heard last', async () => {
    const { sender, service, world } = await begin()
    world.ahead = 7_000
    service.fail('presence', 'later')
    await sender.put(beat(1))
    await expect.poll(() => sender.view).toMatchObject({ beatsWaiting: 1, reached: false })
    expect(sender.view.lastContact).toBeUndefined()
    service.problems.clear()
    sender.again()
    world.time.advance(2_000)
    await expect.poll(() => sender.view).toMatchObject({ beatsWaiting: 0, reached: true })
    expect(sender.view.lastContact).toBe(world.time.nowMs + 7_000)
  })

  it('stays there when the pairing is over, which is told', async () => {
    const { sender, service, queue, told } = await begin()
    service.fail('presence', 'unauthorized')
    await sender.put(beat(1))
    await expect.poll(() => told).toEqual(['unauthorized'])
    expect((await queue.counts()).beats).toBe(1)
  })

  it('does not stay there where consent does not cover it', async () => {
    const { sender, service, queue, told } = await begin()
    service.fail('clip', 'forbidden')
    await sender.put(clip(1))
    await expect.poll(async () => (await queue.counts()).files).toBe(0)
    await expect.poll(() => sender.view.refused).toBe(1)
    expect(told).toContain('forbidden')
  })

  it('is left out alone where the service refuses it for good, and what comes behind it arrives', async () => {
    const { sender, service } = await begin()
    service.refusedClips.set('clip-1', failed('refused'))
    await sender.put(clip(1))
    await sender.put(clip(2))
    await expect.poll(() => service.clips.map(({ clientId }) => clientId)).toEqual(['clip-2'])
    expect(sender.view.refused).toBe(1)
  })

  it('goes in one request as far as it fits, with what became of each clip', async () => {
    const { sender, service, queue } = await begin()
    const MiB = 1024 * 1024
    const sizes = [0.5, 1, 1, 3, 0.1]
    for (const [n, size] of sizes.entries()) await queue.put({ ...clip(n), bytes: new ArrayBuffer(size * MiB) })
    service.refusedClips.set('clip-1', failed('forbidden'))
    sender.wake()
    await expect.poll(() => sender.view.refused).toBe(1)
    // It rests after a no, and goes on when it is woken.
    sender.wake()
    await expect.poll(() => service.clips).toHaveLength(4)
    expect(service.packs).toEqual([2, 1, 1, 1])
  })

  it('goes in parts where the network cut off a pack of it, or the service has none', async () => {
    const { sender, service, world } = await begin()
    const parts = vi.spyOn(service, 'clip')
    service.problems.set('pack', unreached())
    await sender.put(clip(1))
    await expect.poll(() => sender.view.reached).toBe(false)
    world.time.advance(2_000)
    await expect.poll(() => service.clips).toHaveLength(1)
    service.fail('pack', 'not_found')
    await sender.put(clip(2))
    await sender.put(clip(3))
    await expect.poll(() => service.clips).toHaveLength(3)
    expect([parts.mock.calls.length, service.packs]).toEqual([3, []])
  })

  it('goes in parts when it is too large for a pack', async () => {
    const { sender, service } = await begin()
    await sender.put({ ...clip(1), bytes: new ArrayBuffer(8 * 1024 * 1024) })
    await expect.poll(() => service.clips).toHaveLength(1)
    expect(service.packs).toEqual([])
  })

  it('is told to be unreadable when the phone cannot read it', async () => {
    const { sender, queue, told } = await begin()
    vi.spyOn(queue, 'counts').mockRejectedValue(new Error('the database is gone'))
    sender.wake()
    await expect.poll(() => told).toContain('broken: Error: the database is gone')
  })

  it('hears of other requests that the network is there or is not', async () => {
    const { sender, world } = await begin()
    sender.heard(false)
    expect(sender.view).toMatchObject({ reached: false, lastContact: undefined })
    sender.heard(true)
    expect(sender.view).toMatchObject({ reached: true, lastContact: world.time.nowMs })
  })
})
