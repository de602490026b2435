import { failed, unreached } from '@integrity/client/test-support/failed'
import { describe, expect, it } from 'vitest'
import { ManualTime } from '../test-support/manual-time.ts'
import { Visit } from './visit.ts'

type Answer = string | Error
const refused = (reason?: 'replaced' | 'revoked' | 'declined' | 'expired' | 'released') =>
  failed('unauthorized', { extra: reason ? { reason } : {} })

/** A visit whose readings are answered in their order; the last answer is given again and again. */
const visiting = (...answers: readonly Answer[]) => {
  const time = new ManualTime()
  const returns = new Set<() => void>()
  let reads = 0
  const visit = new Visit<string>({
    time,
    read: async () => {
      const answer = answers[Math.min(reads, answers.length - 1)] ?? ''
      reads += 1
      if (answer instanceof Error) throw answer
      return answer
    },
    page: {
      visible: () => true,
      onReturn: (listener) => {
        returns.add(listener)
        return () => returns.delete(listener)
      },
    },
  })
  const settled = () => new Promise<void>((resolve) => setTimeout(resolve))
  return {
    visit,
    time,
    settled,
    reads: () => reads,
    comeBack: () => {
      for (const listener of returns) listener()
      return settled()
    },
    advance: (ms: number) => {
      time.advance(ms)
      return settled()
    },
  }
}

describe('a visit', () => {
  it('opens with what was read, and tells those who look', async () => {
    const { visit } = visiting('facts')
    const seen: string[] = []
    visit.subscribe(() => seen.push(visit.state.name))
    expect([visit.state.name, visit.facts]).toEqual(['opening', undefined])
    await visit.refresh()
    expect([visit.state, visit.facts, seen]).toEqual([{ name: 'open', facts: 'facts' }, 'facts', ['open']])
  })

  it.each([
    ['offline', unreached()],
    ['trouble', failed('later')],
    ['trouble', failed('conflict')],
    ['trouble', new Error('a fault of the page')],
  ] as const)('says that it waits, %s, and tries again by itself until it has read', async (why, error) => {
    const { visit, advance, reads } = visiting(error, error, 'facts')
    await visit.refresh()
    expect(visit.state).toEqual({ name: 'waiting', why })
    await advance(500)
    expect(reads()).toBe(2)
    await advance(999)
    expect(reads()).toBe(2)
    await advance(1)
    expect(visit.state.name).toBe('open')
    await advance(3_600_000)
    expect(reads()).toBe(3)
  })

  it('waits as long as the service asks for', async () => {
    const { visit, advance, reads } = visiting(failed('too_many', { retryAfterMs: 60_000 }), 'facts')
    await visit.refresh()
    await advance(59_999)
    expect(reads()).toBe(1)
    // And a little more, so that those who were refused together do not come back together.
    await advance(501)
    expect(visit.state.name).toBe('open')
  })

  it('tries at once when the network is back, and once only', async () => {
    const { visit, comeBack, advance, reads } = visiting(unreached(), 'facts')
    await visit.refresh()
    await comeBack()
    expect(visit.state.name).toBe('open')
    await advance(3_600_000)
    expect(reads()).toBe(2)
  })

  it.each(['replaced', 'revoked', 'declined', 'expired'] as const)(
    'ends with a link that was %s, for good',
    async (why) => {
      const { visit, comeBack, advance, reads } = visiting(refused(why), 'facts')
      await visit.refresh()
      await comeBack()
      await visit.refresh()
      await advance(3_600_000)
      expect([visit.state, reads()]).toEqual([{ name: 'over', why, facts: undefined }, 1])
    },
  )

  it('ends with a link that the service does not know, or knows as another kind', async () => {
    for (const error of [refused(), refused('released'), failed('not_found'), failed('forbidden')]) {
      const { visit } = visiting(error)
      await visit.refresh()
      expect(visit.state).toMatchObject({ name: 'over', why: 'wrong' })
    }
  })

  it('keeps what it shows while a later reading fails, and reads again soon', async () => {
    const { visit, advance } = visiting('first', unreached(), 'second')
    await visit.refresh()
    await visit.refresh()
    expect(visit.state).toEqual({ name: 'open', facts: 'first' })
    await advance(1_000)
    expect(visit.facts).toBe('second')
  })

  it('reads again when somebody comes back after a while, not at every glance', async () => {
    const { visit, comeBack, advance, reads } = visiting('first', 'second')
    await visit.refresh()
    await advance(59_999)
    await comeBack()
    expect(reads()).toBe(1)
    await advance(1)
    await comeBack()
    expect([reads(), visit.facts]).toEqual([2, 'second'])
  })

  it('learns from another request that the link has ended, and from nothing else that was refused', async () => {
    const { visit } = visiting('facts')
    await visit.refresh()
    for (const error of [failed('not_found'), failed('conflict'), unreached(), new Error('x')])
      expect(visit.endedBy(error)).toBe(false)
    expect(visit.state.name).toBe('open')
    expect(visit.endedBy(refused('replaced'))).toBe(true)
    expect(visit.state).toEqual({ name: 'over', why: 'replaced', facts: 'facts' })
  })

  it('takes no answer that came after the link had ended', async () => {
    const { visit } = visiting('first', 'second')
    await visit.refresh()
    const late = visit.refresh()
    visit.end('declined')
    await late
    expect(visit.state).toMatchObject({ name: 'over', why: 'declined' })
  })
})
