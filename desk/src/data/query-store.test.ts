import { failed, unreached } from '@integrity/client/test-support/failed'
import { describe, expect, it } from 'vitest'
import { keyOf, QueryStore } from './query-store.ts'

const key = keyOf('things.list', { query: { limit: 5 } })
const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
}

/** A store whose questions are answered in their order; the last answer is given again and again. */
const storeOf = (...answers: readonly unknown[]) => {
  const asked: unknown[] = []
  const page = { returned: () => {} }
  const seen = { over: 0, drawn: 0 }
  const clock = { now: 0 }
  const store = new QueryStore({
    ask: async (id, input) => {
      asked.push([id, input])
      const answer = answers[Math.min(asked.length, answers.length) - 1]
      if (answer instanceof Error) throw answer
      return answer
    },
    now: () => clock.now,
    page: {
      visible: () => true,
      onReturn: (listener) => {
        page.returned = listener
        return () => {}
      },
    },
    onOver: () => {
      seen.over += 1
    },
  })
  const look = () =>
    store.watch(key, () => {
      seen.drawn += 1
    })
  return { store, asked, page, seen, clock, look }
}

describe('what the service has answered', () => {
  it('is asked for once by all who look at the same, and is there at once for who looks again soon', async () => {
    const { store, asked, look, clock } = storeOf('first', 'second')
    const leave = look()
    look()
    expect(store.state(key)).toEqual({ name: 'loading' })
    await settled()
    expect(asked).toEqual([['things.list', { query: { limit: 5 } }]])
    expect(store.state(key)).toEqual({ name: 'there', data: 'first', problem: undefined })
    leave()
    clock.now = 29_000
    look()
    await settled()
    expect(asked).toHaveLength(1)
    clock.now = 31_000
    look()
    expect(store.state(key)).toMatchObject({ data: 'first' })
    await settled()
    expect(store.state(key)).toMatchObject({ data: 'second' })
  })

  it('may be asked before anybody looks, is asked once then, and again by who looks where that failed', async () => {
    const { store, asked, look, seen } = storeOf('first')
    store.begin(key)
    store.begin(key)
    look()
    await settled()
    expect(asked).toHaveLength(1)
    expect(store.state(key)).toMatchObject({ data: 'first' })
    const other = storeOf(failed('unauthorized'), 'second')
    other.store.begin(key)
    await settled()
    expect(other.store.state(key)).toEqual({ name: 'loading' })
    other.look()
    await settled()
    expect(other.store.state(key)).toMatchObject({ data: 'second' })
    expect(seen.over + other.seen.over).toBe(0)
  })

  it('stays where it could not be asked again, with why', async () => {
    const { store, look } = storeOf('first', unreached(), 'third')
    look()
    await settled()
    await store.again(key)
    expect(store.state(key)).toEqual({ name: 'there', data: 'first', problem: 'offline' })
    await store.again(key)
    expect(store.state(key)).toEqual({ name: 'there', data: 'third', problem: undefined })
  })

  it.each(['forbidden', 'not_found'] as const)('is shown no longer where it is %s now', async (kind) => {
    const { store, look } = storeOf('first', failed(kind))
    look()
    await settled()
    await store.again(key)
    expect(store.state(key)).toEqual({ name: 'failed', problem: kind })
  })

  it('says where nobody is signed in any more', async () => {
    const { store, look, seen } = storeOf(failed('unauthorized'))
    look()
    await settled()
    expect(store.state(key)).toEqual({ name: 'failed', problem: 'over' })
    expect(seen.over).toBe(1)
  })

  it('is asked again after a write that concerns it, and after no other', async () => {
    const { store, asked, look } = storeOf('first', 'second')
    look()
    await settled()
    await store.changed('things', 'thing.get')
    expect(asked).toHaveLength(1)
    await store.changed('things.list')
    expect(store.state(key)).toMatchObject({ data: 'second' })
  })

  it('is asked again when the page is seen again and it is old', async () => {
    const { asked, look, page, clock } = storeOf('first')
    look()
    await settled()
    page.returned()
    expect(asked).toHaveLength(1)
    clock.now = 31_000
    page.returned()
    expect(asked).toHaveLength(2)
  })

  it('is gone for the next person, and so is what was on its way', async () => {
    const { store, look } = storeOf('of the one before')
    look()
    store.clear()
    await settled()
    expect(store.state(key)).toEqual({ name: 'loading' })
  })
})
