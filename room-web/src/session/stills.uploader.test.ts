import 'fake-indexeddb/auto'
import { expect, it, vi } from 'vitest'
import { FakeService } from '../../test/fake-service.ts'
import { ManualTime } from '../../test/manual-time.ts'
import type { Still } from './room.types.ts'
import { openStillsQueue } from './stills.queue.ts'
import { Uploader } from './stills.uploader.ts'

let databases = 0
const setUp = async () => {
  databases += 1
  const queue = await openStillsQueue(`uploader-${databases}`)
  const [service, time] = [new FakeService(), new ManualTime()]
  const told: string[] = []
  const uploader = new Uploader({
    ...{ queue, api: service, time, sessionId: 'ses_1' },
    onSettled: (_still, outcome) => told.push(outcome),
    onNetwork: (reached) => told.push(reached ? 'reached' : 'not reached'),
    onProblem: ({ kind }) => told.push(kind),
    onBroken: () => told.push('broken'),
  })
  const put = (clientId: string) => {
    const meta = { capturedAt: new Date(time.now()).toISOString(), contentType: 'image/webp', sha256: 'a' } as const
    const still: Still = { ...meta, clientId, sessionId: 'ses_1', bytes: new ArrayBuffer(4), width: 1, height: 1 }
    return queue.put(still)
  }
  const until = (check: () => void) => vi.waitFor(check, { interval: 1, timeout: 4_000 })
  return { queue, service, time, told, uploader, put, until }
}

it('waits twice as long after each failure, and begins anew when the network is back', async () => {
  const { service, time, told, uploader, put, until } = await setUp()
  service.online = false
  await put('one')
  uploader.wake()
  for (const [failures, wait] of [
    [1, 750],
    [2, 1_500],
    [3, 3_000],
    [4, 6_000],
  ] as const) {
    await until(() => expect(told).toHaveLength(failures))
    time.advance(wait - 1)
    expect(service.sends).toBe(failures)
    time.advance(1)
  }
  await until(() => expect(told).toHaveLength(5))
  uploader.again()
  // Spread over a second.
  time.advance(500)
  await until(() => expect(told).toHaveLength(6))
  time.advance(750)
  await until(() => expect(told).toHaveLength(7))
})

it('does not send what waits before its time when more is added', async () => {
  const { service, time, told, uploader, put, until } = await setUp()
  service.online = false
  await put('one')
  uploader.wake()
  await until(() => expect(told).toEqual(['not reached']))
  await put('two')
  uploader.wake()
  expect(service.sends).toBe(1)
  service.online = true
  time.advance(750)
  await uploader.drained()
  expect([...service.stills.keys()]).toEqual(['one', 'two'])
})

it('that was stopped counts what was on its way, tells nobody, and begins nothing more', async () => {
  const { queue, service, time, told, uploader, put, until } = await setUp()
  const { promise, resolve } = Promise.withResolvers<void>()
  const send = service.send.bind(service)
  service.send = async (still) => {
    await promise
    return send(still)
  }
  await put('one')
  await put('two')
  const sending = vi.spyOn(service, 'send')
  uploader.wake()
  await until(() => expect(sending).toHaveBeenCalledOnce())
  uploader.stop()
  resolve()
  await until(() => expect(service.stills.size).toBe(1))
  await vi.waitFor(async () => expect((await queue.progress('ses_1')).sent).toBe(1), { interval: 1 })
  uploader.wake()
  uploader.again()
  time.advance(60_000)
  expect(sending).toHaveBeenCalledOnce()
  expect(told).toEqual([])
})
