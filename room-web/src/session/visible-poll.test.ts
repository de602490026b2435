import { ManualTime } from '@integrity/shared-ui/test-support/manual-time'
import { describe, expect, it } from 'vitest'
import { pollWhileVisible } from './visible-poll.ts'

const polling = (answers: readonly (boolean | Error)[] = []) => {
  const time = new ManualTime()
  const returns = new Set<() => void>()
  let visible = true
  let asked = 0
  const poll = pollWhileVisible({
    everyMs: 10_000,
    time,
    page: {
      visible: () => visible,
      onReturn: (listener) => {
        returns.add(listener)
        return () => returns.delete(listener)
      },
    },
    ask: async () => {
      const answer = answers[asked] ?? true
      asked += 1
      if (answer instanceof Error) throw answer
      return answer
    },
  })
  const settled = () => new Promise<void>((resolve) => setTimeout(resolve))
  return {
    poll,
    settled,
    asked: () => asked,
    listeners: () => returns.size,
    advance: (ms: number) => {
      time.advance(ms)
      return settled()
    },
    see: (now: boolean) => {
      visible = now
      if (now) for (const listener of returns) listener()
      return settled()
    },
  }
}

describe('asking while the page is seen', () => {
  it('begins at once and goes on at its interval, through failures', async () => {
    const { asked, advance, settled } = polling([true, new Error('no network'), true])
    await settled()
    expect(asked()).toBe(1)
    await advance(9_999)
    expect(asked()).toBe(1)
    await advance(1)
    await advance(10_000)
    expect(asked()).toBe(3)
  })

  it('asks nothing while nobody looks, and at once when somebody does', async () => {
    const { asked, advance, see, settled } = polling()
    await settled()
    await see(false)
    await advance(3_600_000)
    expect(asked()).toBe(1)
    await see(true)
    expect(asked()).toBe(2)
    await advance(10_000)
    expect(asked()).toBe(3)
  })

  it('asks once for any number of wishes at the same time, and has one next turn', async () => {
    const { poll, asked, advance, settled } = polling()
    poll.now()
    poll.now()
    await settled()
    expect(asked()).toBe(1)
    poll.now()
    await settled()
    await advance(10_000)
    expect(asked()).toBe(3)
  })

  it('ends when there is nothing new to come, and when it is stopped', async () => {
    const done = polling([false])
    await done.settled()
    await done.see(true)
    await done.advance(3_600_000)
    expect(done.asked()).toBe(1)
    const stopped = polling()
    await stopped.settled()
    stopped.poll.stop()
    await stopped.advance(3_600_000)
    expect([stopped.asked(), stopped.listeners()]).toEqual([1, 0])
  })
})
