import 'fake-indexeddb/auto'
import { describe, expect, it } from 'vitest'
import { ManualTime } from '../../test/fake-world.ts'
import { openIndexedQueue } from '../platform/queue.idb.ts'
import { ApiProblem } from './api-problem.ts'
import { LaneSender } from './lane-sender.ts'
import type { QueuedBeat, QueuedItem } from './queue.port.ts'

let made = 0
const beat = (n: number): QueuedBeat => ({
  kind: 'beat',
  clientId: `beat-${n}`,
  sessionId: 'ses_1',
  at: n,
  beat: { recording: 'on' },
})

/** A lane whose service answers what `answer` throws or does not. */
const laneWith = async (answer: (ids: string[]) => void, batch = 500) => {
  const queue = await openIndexedQueue(`lane-${made++}`)
  const time = new ManualTime()
  const log: string[] = []
  const waiting: (() => void)[] = []
  const note = (text: string) => {
    log.push(text)
    for (const wake of waiting.splice(0)) wake()
  }
  const sender = new LaneSender({
    lane: 'beats',
    batch,
    queue,
    time,
    send: async (items: readonly QueuedItem[]) => answer(items.map(({ clientId }) => clientId)),
    onSettled: (outcome, count) => note(`${outcome} ${count}`),
    onNetwork: (reached) => note(reached ? 'reached' : 'unreached'),
    onStop: (kind) => note(`stop ${kind}`),
    onBroken: (error) => note(`broken ${String(error)}`),
  })
  const until = async (text: string) => {
    while (!log.includes(text)) await new Promise<void>((resolve) => void waiting.push(resolve))
  }
  return { queue, time, log, sender, until }
}

describe('a lane of the queue', () => {
  it('sends what waits in one batch, oldest first, and resolves when it is empty', async () => {
    const sent: string[][] = []
    const { queue, sender } = await laneWith((ids) => void sent.push(ids))
    for (const n of [3, 1, 2]) await queue.put(beat(n))
    await sender.drained()
    expect(sent).toEqual([['beat-3', 'beat-1', 'beat-2']])
    expect((await queue.counts()).beats).toBe(0)
  })

  it('keeps what no answer came for, waits longer each time, and sends the same ids again', async () => {
    let cut = 3
    const sent: string[][] = []
    const { queue, time, log, sender, until } = await laneWith((ids) => {
      sent.push(ids)
      if (cut-- > 0) throw new ApiProblem('later')
    })
    await queue.put(beat(1))
    sender.wake()
    await until('unreached')
    expect((await queue.counts()).beats).toBe(1)
    // Half of each wait is certain, half of the rest is the 0.5 of this clock: 750, 1500, 3000 ms.
    for (const wait of [750, 1500, 3000]) {
      time.advance(wait - 1)
      const before = sent.length
      log.length = 0
      time.advance(1)
      await until(wait === 3000 ? 'sent 1' : 'unreached')
      expect(sent.length).toBe(before + 1)
    }
    expect(new Set(sent.map(String))).toEqual(new Set(['beat-1']))
  })

  it('never comes back before the service asked for', async () => {
    let first = true
    const { queue, time, log, sender, until } = await laneWith(() => {
      if (first) {
        first = false
        throw new ApiProblem('too_many', { retryAfterMs: 60_000 })
      }
    })
    await queue.put(beat(1))
    sender.wake()
    await until('reached')
    time.advance(59_999)
    expect(log).not.toContain('sent 1')
    time.advance(1)
    await until('sent 1')
  })

  it('leaves out the beats that were named as at fault, and sends the rest', async () => {
    const sent: string[][] = []
    const { queue, sender, log } = await laneWith((ids) => {
      if (ids.includes('beat-2')) throw new ApiProblem('refused', { atFault: [1] })
      sent.push(ids)
    })
    for (const n of [1, 2, 3]) await queue.put(beat(n))
    await sender.drained()
    expect(sent).toEqual([['beat-1', 'beat-3']])
    expect(log).toContain('refused 1')
  })

  it('finds the one at fault by sending them alone when nobody names it', async () => {
    const sent: string[][] = []
    const { queue, sender } = await laneWith((ids) => {
      if (ids.includes('beat-2')) throw new ApiProblem('refused')
      sent.push(ids)
    })
    for (const n of [1, 2, 3]) await queue.put(beat(n))
    await sender.drained()
    expect(sent).toEqual([['beat-1'], ['beat-3']])
  })

  it('rests with everything kept when the token is over, and deletes what consent does not cover', async () => {
    let problem = new ApiProblem('unauthorized')
    const { queue, sender, until } = await laneWith(() => {
      throw problem
    })
    await queue.put(beat(1))
    sender.wake()
    await until('stop unauthorized')
    expect((await queue.counts()).beats).toBe(1)
    problem = new ApiProblem('forbidden')
    sender.wake()
    await until('stop forbidden')
    expect((await queue.counts()).beats).toBe(0)
  })
})
