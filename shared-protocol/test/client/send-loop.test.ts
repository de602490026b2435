import { describe, expect, it, vi } from 'vitest'
import { noProblems, type Outcome, SendLoop } from '../../client/src/send-loop.ts'
import { failed } from '../../client/src/test-support/failed.ts'

/** Time that stands still until a test moves it. `random` is 0.5. */
class ManualTime {
  #now = 0
  #planned: { at: number; action: () => void }[] = []

  random(): number {
    return 0.5
  }
  after(ms: number, action: () => void): () => void {
    const planned = { at: this.#now + ms, action }
    this.#planned.push(planned)
    return () => {
      this.#planned = this.#planned.filter((other) => other !== planned)
    }
  }
  advance(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const [next] = this.#planned.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      if (!next) break
      this.#planned = this.#planned.filter((other) => other !== next)
      this.#now = Math.max(this.#now, next.at)
      next.action()
    }
    this.#now = end
  }
}

type Answer = (items: readonly string[]) => unknown

/** A loop over a queue in memory, whose service answers what `answer` throws or does not. */
const loopWith = (
  answer: Answer,
  options: { batch?: number; forbidden?: 'refuse' | 'keep'; gatherMs?: (items: readonly string[]) => number } = {},
) => {
  const [queue, told, settled, time] = [[] as string[], [] as string[], [] as [Outcome, string][], new ManualTime()]
  const loop = new SendLoop<string>({
    time,
    batch: options.batch ?? 500,
    forbidden: options.forbidden ?? 'refuse',
    ...(options.gatherMs && { gatherMs: options.gatherMs }),
    oldest: async (limit) => queue.slice(0, limit),
    send: async (items) => {
      const answered = await answer(items)
      return answered instanceof Map ? answered : noProblems
    },
    atFault: ({ details }) => details.map(({ path }) => Number(path)),
    settle: async (items, outcome) => {
      for (const item of items) {
        queue.splice(queue.indexOf(item), 1)
        settled.push([outcome, item])
      }
    },
    onSettled: (items, outcome) => told.push(`${outcome} ${items.length}`),
    onNetwork: (reached) => told.push(reached ? 'reached' : 'not reached'),
    onStop: ({ kind }, items) => told.push(`${kind} ${items.join()}`),
    onBroken: (error) => told.push(String(error)),
  })
  const until = (check: () => void) => vi.waitFor(check, { interval: 1, timeout: 10_000 })
  return { queue, told, settled, time, loop, until }
}

describe('the loop that sends what waits', () => {
  it('sends in batches, oldest first, and resolves when nothing is left', async () => {
    const sent: (readonly string[])[] = []
    const { queue, loop } = loopWith((items) => void sent.push(items), { batch: 2 })
    queue.push('a', 'b', 'c')
    await loop.drained()
    expect([sent, queue]).toEqual([[['a', 'b'], ['c']], []])
  })

  it('keeps what no answer came for, waits twice as long each time, and begins anew when the network is back', async () => {
    const attempts: (readonly string[])[] = []
    const { queue, told, time, loop, until } = loopWith((items) => {
      attempts.push(items)
      throw failed('later')
    })
    queue.push('a')
    loop.wake()
    // Half of each ceiling, as this clock's chance is 0.5.
    for (const [failures, wait] of [
      [1, 500],
      [2, 1_000],
      [3, 2_000],
      [4, 4_000],
    ] as const) {
      await until(() => expect(told).toHaveLength(failures))
      time.advance(wait - 1)
      expect(attempts).toHaveLength(failures)
      time.advance(1)
    }
    await until(() => expect(told).toHaveLength(5))
    loop.again()
    // Spread over a second.
    time.advance(500)
    await until(() => expect(told).toHaveLength(6))
    time.advance(500)
    await until(() => expect(told).toHaveLength(7))
    expect(new Set(attempts.map(String))).toEqual(new Set(['a']))
    expect(new Set(told)).toEqual(new Set(['not reached']))
  })

  it.each(['later', 'too_many'] as const)('answered with %s, never comes back before it was asked to', async (kind) => {
    let first = true
    const { queue, told, time, loop, until } = loopWith(() => {
      if (!first) return
      first = false
      throw failed(kind, { retryAfterMs: 60_000 })
    })
    queue.push('a')
    loop.wake()
    await until(() => expect(told).toEqual(['reached']))
    time.advance(59_999)
    expect(told).toEqual(['reached'])
    time.advance(501)
    await until(() => expect(told).toContain('sent 1'))
  })

  it('does not send what waits before its time when more is added', async () => {
    let online = false
    const sent: string[] = []
    const { queue, told, time, loop, until } = loopWith((items) => {
      if (!online) throw failed('later')
      sent.push(...items)
    })
    queue.push('a')
    loop.wake()
    await until(() => expect(told).toEqual(['not reached']))
    queue.push('b')
    loop.wake()
    expect(told).toHaveLength(1)
    online = true
    time.advance(500)
    await loop.drained()
    expect(sent).toEqual(['a', 'b'])
  })

  it('stays one loop when a wait ends before the one that began it has looked up', async () => {
    let failing = true
    const sends: (readonly string[])[] = []
    const { queue, told, time, loop, until } = loopWith((items) => {
      sends.push(items)
      if (failing) throw failed('later')
    })
    queue.push('a')
    const pause = vi.spyOn(time, 'after').mockImplementationOnce((_ms, action) => {
      failing = false
      action()
      return () => {}
    })
    loop.wake()
    await until(() => expect(told).toContain('sent 1'))
    await loop.drained()
    expect(pause).toHaveBeenCalledOnce()
    expect(sends).toEqual([['a'], ['a']])
  })

  it('leaves out what was named as at fault, and sends the rest', async () => {
    const { queue, settled, loop } = loopWith((items) => {
      if (items.includes('b'))
        throw failed('refused', { details: [{ path: String(items.indexOf('b')), message: 'no' }] })
    })
    queue.push('a', 'b', 'c')
    await loop.drained()
    expect(settled).toEqual([
      ['refused', 'b'],
      ['sent', 'a'],
      ['sent', 'c'],
    ])
  })

  it('finds the one at fault by sending them alone when nobody names it', async () => {
    const { queue, settled, loop } = loopWith((items) => {
      if (items.includes('b')) throw failed('refused')
    })
    queue.push('a', 'b', 'c')
    await loop.drained()
    expect(settled).toEqual([
      ['sent', 'a'],
      ['refused', 'b'],
      ['sent', 'c'],
    ])
  })

  it('rests with everything kept when the token is over', async () => {
    const { queue, told, loop, until } = loopWith(() => {
      throw failed('unauthorized')
    })
    queue.push('a')
    loop.wake()
    await until(() => expect(told).toEqual(['unauthorized a']))
    expect(queue).toEqual(['a'])
  })

  it.each([
    ['refuse', [], ['reached', 'refused 1', 'forbidden a']],
    ['keep', ['a'], ['forbidden a']],
  ] as const)('told to %s what consent does not cover, does so and rests', async (forbidden, left, said) => {
    const answer = () => {
      throw failed('forbidden')
    }
    const { queue, told, loop, until } = loopWith(answer, { forbidden })
    queue.push('a')
    loop.wake()
    await until(() => expect(told).toEqual(said))
    expect(queue).toEqual(left)
  })

  it('that was stopped counts what was on its way, tells nobody, and begins nothing more', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const send = vi.fn(() => promise)
    const { queue, settled, told, time, loop, until } = loopWith(send, { batch: 1 })
    queue.push('a', 'b')
    loop.wake()
    await until(() => expect(send).toHaveBeenCalledOnce())
    loop.stop()
    resolve()
    await until(() => expect(settled).toEqual([['sent', 'a']]))
    loop.wake()
    loop.again()
    time.advance(60_000)
    expect(send).toHaveBeenCalledOnce()
    expect(told).toEqual([])
  })

  it('says that the storage of the device failed, and can be woken again', async () => {
    const { queue, told, loop, until } = loopWith(() => {
      throw new Error('disk')
    })
    queue.push('a')
    loop.wake()
    await until(() => expect(told).toEqual(['Error: disk']))
    loop.wake()
    await until(() => expect(told).toHaveLength(2))
  })
})

describe('items that are answered one by one', () => {
  /** Each is refused as the map says, once it is asked for; the others are taken. */
  const answering =
    (problems: Record<string, ReturnType<typeof failed>>, asked: string[][]) => (items: readonly string[]) => {
      asked.push([...items])
      return new Map(items.flatMap((item, index) => (problems[item] ? [[index, problems[item]] as const] : [])))
    }

  it('leave the queue alone: what is taken, and what would be refused again', async () => {
    const asked: string[][] = []
    const { queue, settled, loop } = loopWith(answering({ b: failed('refused'), d: failed('conflict') }, asked))
    queue.push('a', 'b', 'c', 'd')
    await loop.drained()
    expect(asked).toEqual([['a', 'b', 'c', 'd']])
    expect(settled).toEqual([
      ...['a', 'c'].map((item) => ['sent', item]),
      ...['b', 'd'].map((item) => ['refused', item]),
    ])
  })

  it('wait, without those that were taken, for as long as the longest asks', async () => {
    const asked: string[][] = []
    const problems = { a: failed('later', { retryAfterMs: 2000 }), c: failed('too_many', { retryAfterMs: 7000 }) }
    const { queue, time, loop, until } = loopWith(answering(problems, asked))
    queue.push('a', 'b', 'c')
    loop.wake()
    await until(() => expect(queue).toEqual(['a', 'c']))
    time.advance(6999)
    expect(asked).toHaveLength(1)
    time.advance(501)
    await until(() => expect(asked[1]).toEqual(['a', 'c']))
  })

  it.each(['refuse', 'keep'] as const)('that consent does not cover are told together: %s', async (forbidden) => {
    const problems = { b: failed('forbidden'), c: failed('forbidden') }
    const { queue, told, loop, until } = loopWith(answering(problems, []), { forbidden })
    queue.push('a', 'b', 'c')
    loop.wake()
    await until(() => expect(told).toContain('forbidden b,c'))
    expect(queue).toEqual(forbidden === 'keep' ? ['b', 'c'] : [])
  })
})

describe('what waits for company', () => {
  const alone = (items: readonly string[]): number => (items.length < 2 ? 20_000 : 0)
  const sending = () => {
    const sent: (readonly string[])[] = []
    return { sent, ...loopWith((items) => void sent.push(items), { gatherMs: alone }) }
  }

  it('is sent when there is enough of it', async () => {
    const { sent, queue, loop, until } = sending()
    queue.push('a')
    loop.wake()
    await new Promise((resolve) => setImmediate(resolve))
    expect(sent).toEqual([])
    queue.push('b')
    loop.wake()
    await until(() => expect(sent).toEqual([['a', 'b']]))
  })

  it('is looked at again when its time is over', async () => {
    let isOver = false
    const sent: (readonly string[])[] = []
    const { queue, time, loop, until } = loopWith((items) => void sent.push(items), {
      gatherMs: () => (isOver ? 0 : 20_000),
    })
    queue.push('a')
    loop.wake()
    await new Promise((resolve) => setImmediate(resolve))
    isOver = true
    time.advance(19_999)
    await new Promise((resolve) => setImmediate(resolve))
    expect(sent).toEqual([])
    time.advance(1)
    await until(() => expect(sent).toEqual([['a']]))
  })

  it('waits no longer for whoever waits for the end', async () => {
    const { sent, queue, loop } = sending()
    queue.push('a')
    loop.wake()
    await loop.drained()
    expect(sent).toEqual([['a']])
  })
})
